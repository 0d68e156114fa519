from json import load

state = load(open("a.json"))
