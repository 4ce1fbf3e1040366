"""Triton wants a compiler with each driver. Triton's own AMD back end compiles, so this one takes no target."""

from triton.backends.compiler import BaseBackend


class IsaBackend(BaseBackend):
    """A compiler for nothing."""

    @staticmethod
    def supports_target(target):
        return False

    def hash(self):
        return ""

    def parse_options(self, options):
        return None

    def add_stages(self, stages, options, language=None):
        pass

    def load_dialects(self, context):
        pass

    def get_module_map(self):
        return {}
