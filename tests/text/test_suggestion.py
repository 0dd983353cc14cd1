from voirdire.text.suggestion import suggestion


def test_the_nearest_name_is_suggested_however_it_is_written():
    assert suggestion("er", ["K", "ER", "V_E"]) == "did you mean ER?"
    assert suggestion("v_e_strickt", ["K", "V_E", "V_E_strict"]) == "did you mean V_E_strict?"


def test_where_none_is_near_all_are_named():
    assert suggestion("accuracy", ["K", "ER"]) == "there are K, ER."
