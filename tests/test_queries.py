"""Objects that queries of object-relational mappers give: of SQLAlchemy and of Django."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

ALCHEMY = {
    "models.py": """from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class User(Base):
    name: Mapped[str] = mapped_column()
    orders: Mapped[list[Order]] = relationship()

    def show(self) -> str:
        return self.name


class Order(Base):
    name: Mapped[str]
    user: Mapped[User] = relationship()

    def show(self) -> str:
        return self.user.name
""",
    "use.py": """from sqlalchemy import select
from sqlalchemy.orm import Session

from models import Order, User


def report(session: Session, name: str) -> None:
    session.query(User).filter(User.name == name).first().show()
    for row in session.query(User, Order).all():
        row[1].show()
    statement = select(User).where(User.name == name).order_by(User.name)
    session.scalars(statement).one().show()
    session.scalar(statement).show()
    for order in session.execute(select(Order)).scalars():
        order.show()
    for user, order in session.execute(select(User, Order)):
        user.show()
    for order in session.scalars(statement).first().orders:
        order.show()
    session.execute("select 1").first().show()
""",
}


def test_queries_of_sqlalchemy_give_objects_of_the_classes_that_they_select(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ALCHEMY))
    shown = ask("find_references", symbol="User.show")
    assert "exact 5, undecided 1" in shown
    for line in (8, 12, 13, 17):
        assert f"{line}: " in shown.partition("undecided: use.py")[0]
    shown = ask("find_references", symbol="Order.show")
    assert "exact 4, undecided 1" in shown
    assert "20: session.execute(" in shown.partition("undecided: use.py")[2]


DJANGO = {
    "models.py": """from django.db import models


class PostManager(models.Manager["Post"]):
    def published(self):
        return self.filter(draft=False)


class Author(models.Model):
    name = models.CharField()

    def show(self):
        return self.name


class Post(models.Model):
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    objects = PostManager()

    def show(self):
        return self.author.name


class Registry:
    objects = []
""",
    "views.py": """from django.shortcuts import get_object_or_404

from models import Author, Post, Registry


def page(request, pk):
    Author.objects.filter(name="a").order_by("name").first().show()
    author, created = Author.objects.get_or_create(name="x")
    author.show()
    for post in Post.objects.published():
        post.show()
    get_object_or_404(Post, pk=pk).author.show()
    Registry.objects.first().show()
""",
}


def test_queries_of_django_give_objects_of_their_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DJANGO))
    shown = ask("find_references", symbol="Author.show")
    assert "exact 4, undecided 1" in shown
    assert "13: Registry.objects" in shown.partition("undecided: views.py")[2]
    assert "exact 2, undecided 1" in ask("find_references", symbol="Post.show")
