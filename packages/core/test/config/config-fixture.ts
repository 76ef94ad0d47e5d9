import { temporaryDirectory, type TemporaryDirectory } from "@codex/test-support";
import { ConfigError, loadConfig, type LoadConfigOptions, type LoadedConfig } from "@codex/core";
import { join } from "node:path";

/** A machine's files: `home/` is CODEX_HOME, `etc/config.toml` the system's file, `project/` the working directory. */
export interface ConfigFixture extends AsyncDisposable {
  readonly directory: TemporaryDirectory;
  path(name: string): string;
  load(options?: FixtureOptions): Promise<LoadedConfig>;
  /** The error `load` ends with; fails when it does not. Paths of the fixture read `/fixture`. */
  loadError(
    options?: FixtureOptions,
  ): Promise<{ kind: string; message: string; error: ConfigError }>;
  /** `text` with the fixture's own directory written as `/fixture`. */
  readonly masked: (text: string) => string;
}

export interface FixtureOptions extends Partial<LoadConfigOptions> {
  /** Below the fixture; default `project`. */
  readonly from?: string;
}

export async function configFixture(
  files: Readonly<Record<string, string>> = {},
): Promise<ConfigFixture> {
  const directory = await temporaryDirectory({
    "home/": "",
    "project/": "",
    "user/": "",
    ...files,
  });
  const path = (name: string): string => join(directory.path, name);
  const masked = (text: string): string => text.replaceAll(directory.path, "/fixture");
  const load = ({
    from = "project",
    variables,
    ...options
  }: FixtureOptions = {}): Promise<LoadedConfig> =>
    loadConfig({
      variables: { CODEX_HOME: path("home"), ...variables },
      cwd: path(from),
      homeDirectory: path("user"),
      systemConfigPath: path("etc/config.toml"),
      ...options,
    });
  return {
    directory,
    path,
    masked,
    load,
    async loadError(options) {
      const error: unknown = await load(options).then(
        () => new Error("the configuration loaded"),
        (reason: unknown) => reason,
      );
      if (!(error instanceof ConfigError)) throw error;
      return { kind: error.kind, message: masked(error.message), error };
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The same with nothing but a user file. */
export function userConfig(toml: string): Promise<ConfigFixture> {
  return configFixture({ "home/config.toml": toml });
}
