/** What a command needs to be found and to write text; nothing of it is ours. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'PATHEXT', 'ComSpec'] as const;

/**
 * The environment of a server that is started here: nothing of ours but where commands are and how text is
 * written, a home of its own, and what the file gives it.
 *
 * @param variables of this process
 * @param home a folder of its own
 */
export function childEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  home: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = inherited.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: home, ...given };
}
