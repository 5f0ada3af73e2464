"""A FastAPI application of the kind that people have. Needs fastapi, uvicorn and python-multipart from PyPI.

  python fastapi_app.py             writes fastapi.json beside itself: what FastAPI says about the application
  python fastapi_app.py serve PORT  runs it, for FastApiTest.CallsTheRealServer
"""
import enum
import json
import pathlib
import sys
from typing import Annotated, Optional

from fastapi import Body, Cookie, Depends, FastAPI, Form, Header, HTTPException, Query, UploadFile
from fastapi.responses import PlainTextResponse, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field

app = FastAPI(title="Tickets", version="1.0")
bearer = HTTPBearer()


class Priority(str, enum.Enum):
    low = "low"
    high = "high"


class Person(BaseModel):
    name: str = Field(min_length=1, description="Full name")
    email: Optional[str] = None


class Ticket(BaseModel):
    title: str = Field(description="What is wrong, in one line")
    priority: Priority = Priority.low
    tags: list[str] = []
    reporter: Person
    id: int = Field(gt=0, lt=1000000)


class Comment(BaseModel):
    text: str
    answers: list["Comment"] = []


@app.get("/tickets", summary="List tickets")
def list_tickets(q: str, limit: Annotated[int, Query(ge=1, le=100, alias="page[limit]")] = 10,
                 tag: Annotated[list[str], Query(description="All of these")] = [],
                 x_trace: Annotated[Optional[str], Header()] = None):
    """Finds tickets by words in their title."""
    return {"q": q, "limit": limit, "tags": tag, "trace": x_trace}


@app.put("/projects/{project}/tickets/{id}")
def replace_ticket(project: str, id: int, ticket: Ticket, dry_run: bool = False):
    return {"project": project, "path_id": id, "ticket": ticket, "dry_run": dry_run}


@app.post("/tickets/{id}/comments", operation_id="comment")
def comment(id: int, tree: Comment):
    return {"id": id, "tree": tree}


@app.post("/tags", operation_id="set_tags")
def set_tags(tags: Annotated[list[str], Body()]):
    return tags


@app.post("/login", operation_id="login")
def login(user: Annotated[str, Form()], password: Annotated[str, Form()], scopes: Annotated[list[str], Form()] = []):
    return {"user": user, "length": len(password), "scopes": scopes}


@app.delete("/tickets/{id}", status_code=204, operation_id="delete_ticket", dependencies=[Depends(bearer)])
def delete_ticket(id: int):
    if id == 404:
        raise HTTPException(404, "No such ticket")
    return Response(status_code=204)


@app.get("/whoami", operation_id="whoami")
def whoami(credentials=Depends(bearer)):
    return {"token": credentials.credentials}


@app.get("/notes/{name:path}", operation_id="note", response_class=PlainTextResponse)
def note(name: str):
    return f"Grüße von {name}\n"


@app.post("/upload", operation_id="upload")
def upload(file: UploadFile):
    return file.filename


@app.get("/session", operation_id="session")
def session(session: Annotated[str, Cookie()]):
    return session


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        import uvicorn

        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
    else:
        text = json.dumps(app.openapi(), indent=1, ensure_ascii=False)
        (pathlib.Path(__file__).parent / "fastapi.json").write_text(text + "\n")
