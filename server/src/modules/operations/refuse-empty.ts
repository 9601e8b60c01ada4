import { problem } from '@knowhow/shared/problem';

const configuration = /^contents\/(?:config\/groups\.json$|apps\/|models\/)/;

/**
 * Throws `not-found` if there is no configuration at all, e.g. because a volume is not mounted. An empty backup would
 * look valid and might replace a good one.
 *
 * @param paths of all files, as in a backup
 */
export function refuseEmpty(paths: Iterable<string>, contentsDirectory: string): void {
  for (const path of paths) {
    if (configuration.test(path)) {
      return;
    }
  }
  throw problem(
    'not-found',
    `There is no configuration in ${contentsDirectory}: neither config/groups.json nor anything in apps/ or models/. Check that it is mounted and that CONTENTS_DIR is correct.`,
  );
}
