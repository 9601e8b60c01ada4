/** The variables that a command needs to be found and to encode text. None of our own is passed on. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'PATHEXT', 'ComSpec'] as const;

/**
 * Environment of a stdio server: an allowlist of our variables, its own home directory, and the
 * variables from its configuration.
 *
 * @param variables of this process
 * @param home its own directory
 */
export function childEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  home: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const inheritedEntries = inherited.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inheritedEntries), HOME: home, TMPDIR: home, ...given };
}
