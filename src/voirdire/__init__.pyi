from voirdire.adapters.front.auditing import audit as audit
from voirdire.adapters.front.comparison import compare as compare
from voirdire.adapters.front.detection import detect as detect
from voirdire.adapters.front.examination import run as run
from voirdire.adapters.front.exporting import export as export
from voirdire.adapters.front.planning import plan as plan
from voirdire.adapters.front.reporting import report as report
from voirdire.adapters.front.shown import FrontError as FrontError
from voirdire.adapters.front.supported import assert_supported as assert_supported
from voirdire.adapters.front.validation import validate as validate
from voirdire.adapters.gate import GateWarning as GateWarning
from voirdire.adapters.gate import assert_floor as assert_floor
from voirdire.adapters.gate_limits import GateError as GateError
from voirdire.adapters.loading import load as load

__version__: str
