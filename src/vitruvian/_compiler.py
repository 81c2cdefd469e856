"""How Numba makes one program of the kernels: linked once, optimised once, tables handed over by reference.

Left to itself, Numba optimises each function together with all that it calls and makes machine code of it, though
Python only ever calls the outermost; it hands over nine numbers for every array of a NamedTuple at every call; and what
a `forceinline` function calls becomes `forceinline` too. For the kernels that was most of the time of a cold compile.

- A kernel that other kernels call is a `Part`: LLVM code, simplified, with the `forceinline` kernels it calls put in.
- A kernel that Python calls is a `Whole`: it links all parts below it, and only then are there the optimiser's full
  passes and machine code.
- A NamedTuple is a `Reference`, a pointer to its arrays. It does not change while a kernel runs, so what is read
  through it is marked as invariant and may be kept in registers.
- `KernelCache` is Numba's cache with a checksum on every file, in a folder that need not be writable.

This file uses parts of Numba that are not its public interface; pyproject.toml bounds its version.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import sys
from contextlib import suppress
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.core import caching, cgutils, codegen, compiler, compiler_machinery, typed_passes, types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr_generic, models, register_model, unbox

__all__ = ["Compiler", "KernelCache", "referred"]

# --- linking


class _Linked(codegen.JITCodeLibrary):
    """LLVM code of a kernel, and the libraries of all kernels below it."""

    inlined = False  # whether it is put into the code of its callers

    def add_linking_library(self, library: Any) -> None:
        super().add_linking_library(library)
        if isinstance(library, _Linked):
            self._linking_libraries.extend(library._linking_libraries)

    def add_llvm_module(self, module: Any) -> None:
        """Take the code as it is: it is simplified when what it calls has been put in."""
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def _put_in(self) -> None:
        """Replace calls of inlined kernels by their code, and simplify the result.

        LLVM links a function only if it is called by what is already there: every library must come after those that
        call it, so of those that are named several times the last place counts.
        """
        libraries = list(dict.fromkeys(reversed(self._linking_libraries)))[::-1]
        inlined = [library for library in libraries if getattr(library, "inlined", False)]
        self._linking_libraries = [library for library in libraries if library not in inlined]
        for library in inlined:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        builder = self._codegen._pass_builder()
        put_in = llvmlite.binding.create_new_module_pass_manager()
        put_in.add_always_inliner_pass()
        put_in.add_global_dead_code_eliminate_pass()
        put_in.run(self._final_module, builder)
        simplify = llvmlite.binding.create_new_function_pass_manager()
        simplify.add_sroa_pass()  # tuples and arrays become numbers
        simplify.add_instruction_combine_pass()
        simplify.add_simplify_cfg_pass()
        for function in self._final_module.functions:
            if not function.is_declaration:
                simplify.run(function, builder)


class Part(_Linked):
    """A kernel for other kernels: never machine code of its own."""

    def finalize(self) -> None:
        self._put_in()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Numba's place for Python objects that a function needs; kernels need none."""


class Whole(_Linked):
    """A kernel that Python calls, with all that it needs."""

    def finalize(self) -> None:
        self._put_in()
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        """A kernel that was not linked would be a call to nowhere."""
        missing = [f.name for f in self._final_module.functions if f.is_declaration and f.name.startswith("_ZN")]
        if missing:
            raise AssertionError(f"kernels are called and not linked: {missing}")

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    """Numba's step from types to LLVM code, into a library of ours."""

    _name = "lowering_of_kernels"

    def run_pass(self, state: Any) -> bool:
        library = Part if state.flags.no_cpython_wrapper else Whole
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library.inlined = state.flags.forceinline
        return super().run_pass(state)


class Compiler(compiler.CompilerBase):
    """Numba's compiler with that step."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function, without the collector of cycles: it walks a million living objects again and again."""
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(function)
        finally:
            if collects:
                gc.enable()

    def define_pipelines(self) -> list[Any]:
        steps = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [
            (_Lowering if step is typed_passes.NativeLowering else step, text) for step, text in steps.passes
        ]
        steps.finalize()
        return [steps]


# --- NamedTuples by reference


class Reference(types.Type):
    """Type of a pointer to the fields of a NamedTuple."""

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"reference({record.name})")


def referred(kind: Any) -> Any:
    """The type under which a kernel takes a value of a type: a NamedTuple by reference."""
    return Reference(kind) if isinstance(kind, types.NamedTuple) else kind


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):
    def __init__(self, manager: Any, reference: Reference) -> None:
        super().__init__(manager, reference, manager.lookup(reference.record).get_value_type().as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):
    key = Reference

    def generic_resolve(self, value: Any, attr: str) -> Any:  # type: ignore[override]
        record = value.record
        return referred(record.types[record.fields.index(attr)]) if attr in record.fields else None


@lower_getattr_generic(Reference)
def _field(context: Any, builder: Any, reference: Reference, value: Any, name: str) -> Any:
    at = reference.record.fields.index(name)
    place = cgutils.gep_inbounds(builder, value, 0, at)
    return place if isinstance(reference.record.types[at], types.NamedTuple) else _read(builder, place)


def _read(builder: Any, place: Any) -> Any:
    """Load the value at a pointer, scalar by scalar, because LLVM keeps `invariant.load` only on scalars."""
    kind = place.type.pointee
    if not isinstance(kind, ir.Aggregate):
        value = builder.load(place)
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value
    result = ir.Constant(kind, ir.Undefined)
    for k in range(len(kind)):
        result = builder.insert_value(result, _read(builder, cgutils.gep_inbounds(builder, place, 0, k)), k)
    return result


@unbox(Reference)
def _unbox(reference: Reference, value: Any, c: Any) -> Any:
    """From Python: the fields are put on the stack of the caller, which outlives the call."""
    record = c.unbox(reference.record, value)
    return NativeValue(
        cgutils.alloca_once_value(c.builder, record.value), is_error=record.is_error, cleanup=record.cleanup
    )


# --- files of machine code


class _Locator(caching.UserProvidedCacheLocator):
    """The folder of the kernels, which may be read-only, as in a container image."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), exist_ok=True)


class _Content(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _Files(caching.IndexDataCacheFile):
    """Index and data files that begin with the SHA-256 of the rest: machine code that is damaged is never run."""

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        # two processes that compile at the same time may give two kernels the same number
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> Any:
        try:
            version, stamp, overloads = self._opened(self._index_path)
        except OSError:
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: Any) -> None:
        self._sealed(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._opened(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._sealed(self._data_path(name), data)

    def _opened(self, path: str) -> Any:
        with open(path, "rb") as file:
            seal, data = file.read(32), file.read()
        if hashlib.sha256(data).digest() != seal:
            _tell(f"{path} is damaged; its kernels are compiled again.")
            with suppress(OSError):
                os.unlink(path)
            raise OSError(f"{path} is damaged")
        return pickle.loads(data)

    def _sealed(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(data).digest())
            file.write(data)


class KernelCache(caching.FunctionCache):
    """The cache of a kernel; if its folder cannot be written, kernels are compiled for this process only."""

    _impl_class = _Content

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        at = self._cache_file
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, at._source_stamp)

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _tell(f"Compiled kernels cannot be kept in {self._cache_path} ({error.strerror or error}).")


_told: set[str] = set()


def _tell(words: str) -> None:
    """Print a note on the standard error, once."""
    if words not in _told:
        _told.add(words)
        with suppress(OSError, ValueError, AttributeError):
            print(f"Note: {words}", file=sys.stderr)
