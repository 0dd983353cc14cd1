from voirdire.adapters.gate import GateWarning as GateWarning
from voirdire.adapters.gate import assert_floor as assert_floor
from voirdire.adapters.gate_limits import GateError as GateError
from voirdire.adapters.loading import load as load
from voirdire.adapters.python_api.auditing import audit as audit
from voirdire.adapters.python_api.comparison import compare as compare
from voirdire.adapters.python_api.detection import detect as detect
from voirdire.adapters.python_api.examination import run as run
from voirdire.adapters.python_api.exporting import export as export
from voirdire.adapters.python_api.planning import plan as plan
from voirdire.adapters.python_api.reporting import report as report
from voirdire.adapters.python_api.results import UsageError as UsageError
from voirdire.adapters.python_api.showing import show as show
from voirdire.adapters.python_api.supported import assert_supported as assert_supported
from voirdire.adapters.python_api.validation import validate as validate

__version__: str
