import { posix } from 'node:path';

/**
 * Whether a file name is that of an Achilles typed skill: `name.type.md`, or `type.md` in its
 * folder.
 */
export function isTypedFile(path: string): boolean {
  return typedFileName.test(posix.basename(path));
}

/** Any other `name.…skill.md` is of unknown kind, and read as a plain skill. */
export const typedFileName =
  /^(?:(.*)\.)?(skill|cskill|cgskill|dcgskill|iskill|mskill|oskill|tskill)\.md$|^(.+)\.([a-z]{1,12}skill)\.md$/i;

/** Vendor-specific folders: the manifest describes their parent folder. */
const manifestFolders = ['.claude-plugin', '.codex-plugin', '.cursor-plugin', '.agents-plugin'];

/** The plugin folder of a manifest path; undefined if the name is not that of a manifest. */
export function getPluginRoot(path: string): string | undefined {
  const folder = posix.dirname(path);
  const name = posix.basename(path);
  if (name === 'nitejar-plugin.json') {
    return folder === '.' ? '' : folder;
  }
  if (name !== 'plugin.json') {
    return undefined;
  }
  const above = manifestFolders.includes(posix.basename(folder)) ? posix.dirname(folder) : folder;
  return above === '.' ? '' : above;
}

/** Whether a manifest belongs to a system whose plugins only bundle skills. */
export function isInManifestFolder(path: string): boolean {
  return (
    manifestFolders.includes(posix.basename(posix.dirname(path))) ||
    posix.basename(path) === 'nitejar-plugin.json'
  );
}
