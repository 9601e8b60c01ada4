import { problem } from '@knowhow/shared/problem';

const configuration = /^contents\/(?:config\/groups\.json$|apps\/|models\/)/;

/**
 * Throws `not-found` when there is no configuration at all, as with a volume that is not mounted: a
 * backup of nothing would look like one, and take the place of a good one.
 *
 * @param paths of all files there are, as in a backup
 */
export function refuseEmpty(paths: Iterable<string>, contentsDirectory: string): void {
  for (const path of paths) {
    if (configuration.test(path)) {
      return;
    }
  }
  throw problem(
    'not-found',
    `There is no configuration in ${contentsDirectory}: neither config/groups.json nor anything in apps/ or models/. Look whether it is mounted and whether CONTENTS_DIR names it.`,
  );
}
