"""From a spec ("provider/name") to a model that can be called."""
