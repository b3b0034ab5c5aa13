"""A registry answers wrong names and options with the nearest right ones."""

from dataclasses import dataclass, field

import pytest

from jounce.core.registry import Registry, nearest


@pytest.fixture
def pets():
    pets = Registry("pet")

    @pets.register("red-cat")
    @dataclass(frozen=True, kw_only=True)
    class Cat:
        whiskers: int = 12
        tail: float = 0.3
        _inner: int = field(default=1, init=False)

    @pets.register("ant")
    class Ant:
        pass

    return pets


def test_what_was_registered_is_found_by_name(pets):
    assert pets.names() == ["ant", "red-cat"]
    cat = pets.create("red-cat", tail=0.5)
    assert cat.tail == 0.5
    assert cat.name == "red-cat"
    assert pets.options("red-cat") == ["whiskers", "tail"]
    assert pets.options("ant") == []


def test_a_needed_option_that_is_missing_is_named():
    needy = Registry("pet")

    @needy.register("dog")
    @dataclass(frozen=True, kw_only=True)
    class Dog:
        lead: float

    with pytest.raises(TypeError, match="'dog' also needs lead"):
        needy.create("dog")


def test_wrong_names_and_options_lead_to_right_ones(pets):
    with pytest.raises(ValueError, match="no pet named 'redcat'; did you mean 'red-cat'\\? Valid: ant, red-cat"):
        pets.get("redcat")
    with pytest.raises(ValueError, match="no pet named 'zebra'; Valid: ant, red-cat\\."):
        pets.create("zebra")
    with pytest.raises(TypeError, match="'red-cat' has no option 'tial'; did you mean 'tail'\\? Valid: whiskers, tail"):
        pets.create("red-cat", tial=0.1)
    with pytest.raises(TypeError, match="no option '_inner'"):
        pets.create("red-cat", _inner=3)
    with pytest.raises(TypeError, match="'ant' has no option 'legs'; Valid: none"):
        pets.create("ant", legs=6)


def test_nothing_near_gives_no_guess():
    assert nearest("xyz", ["alpha"]) == "Valid: alpha."
    assert nearest("alpa", ["alpha", "beta"]) == "did you mean 'alpha'? Valid: alpha, beta."
