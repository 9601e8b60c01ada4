/** The URL of a skill's page, or of one of its tabs. */
export function skillPath(name: string, tab = ''): string {
  const path = `/admin/skills/${encodeURIComponent(name)}`;
  return tab === '' ? path : `${path}/${tab}`;
}

/** The URL of one of its files. */
export function skillFilePath(name: string, file: string): string {
  return skillPath(name, `files/${file.split('/').map(encodeURIComponent).join('/')}`);
}
