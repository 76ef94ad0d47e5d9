import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { GroupList } from "../src/group-list.ts";

test("holds a number a line, uses free lines again, and grows by no more than it holds", () => {
  using list = new GroupList(["/nowhere", tmpdir()]);
  for (const group of [4_194_304, 2, 3, 2]) list.add(group);
  expect(numbersOf(list)).toEqual([4_194_304, 2, 3]);
  list.delete(2);
  list.delete(2);
  expect(list.has(2)).toBe(false);
  expect(numbersOf(list)).toEqual([4_194_304, 3]);
  for (let group = 10; group < 1_000; group += 1) {
    list.add(group);
    list.delete(group);
  }
  list.add(5);
  expect(numbersOf(list)).toEqual([4_194_304, 5, 3]);
  expect(textOf(list)).toHaveLength(33);
});

test("is not made where no folder can hold it", () => {
  expect(() => new GroupList(["/nowhere"])).toThrow(/ENOENT/);
});

function textOf(list: GroupList): string {
  return readFileSync(`/dev/fd/${list.descriptor}`, "latin1");
}

function numbersOf(list: GroupList): number[] {
  return textOf(list).split("\n").map(Number).filter(Boolean);
}
