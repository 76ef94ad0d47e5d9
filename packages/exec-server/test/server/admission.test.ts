import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { admit, CapabilityToken } from "@codex/exec-server";
import { isLoopbackAddress } from "../../src/server/admission.ts";

const token = CapabilityToken.fromText("secret\n");

function status(
  headers: Record<string, string>,
  options: { path?: string; token?: CapabilityToken | undefined } = {},
): number | "in" {
  const { path = "/" } = options;
  const admission = admit({ path, headers, isUpgrade: true }, { token: options.token });
  return admission.kind === "upgrade" ? "in" : admission.status;
}

describe("without a token, on loopback", () => {
  test.each([["127.0.0.1:80"], ["127.9.9.9"], ["localhost:1"], ["LOCALHOST"], ["[::1]:1"]])(
    "the host %s is let in",
    (host) => expect(status({ host })).toBe("in"),
  );

  test.each([
    ["example.com"],
    ["127.0.0.1.example.com:80"],
    ["localhost.evil"],
    ["10.0.0.1"],
    [""],
  ])("the host %j is foreign", (host) => expect(status({ host })).toBe(403));

  test("a request that names no host is refused", () => expect(status({})).toBe(403));
});

describe("with a token", () => {
  test.each([
    ["Bearer secret", "in"],
    ["bearer  secret", "in"],
    ["Bearer Secret", 401],
    ["Bearer secret2", 401],
    ["Basic secret", 401],
    ["secret", 401],
    ["", 401],
  ] as const)("authorization %j: %s", (authorization, expected) => {
    expect(status({ authorization, host: "far.example.com" }, { token })).toBe(expected);
  });

  test("none at all is refused, also on loopback", () => {
    expect(status({ host: "127.0.0.1" }, { token })).toBe(401);
  });
});

test("a browser's request is refused whatever else it brings", () => {
  const headers = { origin: "http://localhost", host: "localhost", authorization: "Bearer secret" };
  expect([
    status(headers),
    status(headers, { token }),
    status(headers, { path: "/readyz" }),
  ]).toEqual([403, 403, 403]);
});

test("readiness is told to anybody else, other paths do not exist", () => {
  expect([status({}, { path: "/readyz", token }), status({}, { path: "/x", token })]).toEqual([
    200, 404,
  ]);
});

test("a token can be given by its SHA-256 in either case, and by nothing else", () => {
  const digest = createHash("sha256").update("secret").digest("hex");
  for (const hex of [digest, digest.toUpperCase()])
    expect(CapabilityToken.fromSha256(hex)?.matches("secret")).toBe(true);
  expect(CapabilityToken.fromSha256(digest)?.matches("other")).toBe(false);
  for (const bad of ["", "secret", digest.slice(1), `${digest}0`, `g${digest.slice(1)}`])
    expect(CapabilityToken.fromSha256(bad)).toBeUndefined();
  expect(CapabilityToken.fromText(" \n")).toBeUndefined();
});

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.0.1", false],
  ["1270.0.0.1", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});
