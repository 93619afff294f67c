"""Forms: what a visitor filled in, if it is one that we gave to them."""

from dataclasses import dataclass

from fastapi import Request

from arena.site.app.cookies import VISITOR
from arena.site.app.errors import RequestError
from arena.site.app.state import AppState


@dataclass(frozen=True)
class UploadedFile:
    """A file as it was uploaded."""

    name: str
    data: bytes


@dataclass(frozen=True)
class SubmittedForm:
    """What a visitor filled in."""

    visitor: str
    fields: dict[str, str]
    file: UploadedFile | None

    def get(self, key: str) -> str:
        """A field, or nothing."""
        return self.fields.get(key, "")


async def read_form(request: Request, state: AppState, files: int = 0) -> SubmittedForm:
    """A form that we gave to this visitor; 403 if it is another."""
    fields: dict[str, str] = {}
    sent = None
    async with request.form(max_files=files, max_fields=20) as form:
        for key, value in form.items():
            if isinstance(value, str):
                fields[key] = value
            elif value.filename:
                sent = UploadedFile(value.filename, await value.read())
    visitor = request.cookies.get(VISITOR)
    if visitor is None or not state.csrf.is_valid(visitor, fields.get("token", "")):
        raise RequestError(403, "this form has expired, load the page again")
    return SubmittedForm(visitor, fields, sent)
