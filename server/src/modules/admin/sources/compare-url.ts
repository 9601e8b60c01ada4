/**
 * The page of a git server that compares a new branch; undefined for a server whose addresses are not known.
 *
 * @param url of the repository, http, https or ssh
 * @param base the branch that the source reads; undefined for the default branch
 */
export function findCompareUrl(
  { protocol, host, hostname, pathname }: URL,
  branch: string,
  base: string | undefined,
): string | undefined {
  const path = pathname.replace(/^\/~?\/?|\/$|\.git\/?$/g, '');
  const isSsh = protocol === 'ssh:';
  const root = `${isSsh ? 'https:' : protocol}//${isSsh ? hostname : host}/${path}`;
  const [from, to] = [base && encodeURIComponent(base), encodeURIComponent(branch)];
  const inPath = (name: string) => name.split('/').map(encodeURIComponent).join('/');
  const range = base ? `${inPath(base)}...${inPath(branch)}` : inPath(branch);
  switch (findVendor(hostname)) {
    case 'github':
      return `${root}/compare/${range}?expand=1`;
    case 'gitlab': {
      const target = from ? `&merge_request%5Btarget_branch%5D=${from}` : '';
      return `${root}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${to}${target}`;
    }
    case 'gitea':
      return `${root}/compare/${range}`;
    case 'bitbucket':
      return `${root}/pull-requests/new?source=${to}${from ? `&dest=${from}` : ''}`;
    default:
      return undefined;
  }
}

/** Servers of an organisation are often named after the product. */
function findVendor(hostname: string): string | undefined {
  if (hostname === 'bitbucket.org' || hostname === 'codeberg.org') {
    return hostname === 'codeberg.org' ? 'gitea' : 'bitbucket';
  }
  const [, vendor] = /(?:^|\.)(github|gitlab|gitea|forgejo)\./.exec(hostname) ?? [];
  return vendor === 'forgejo' ? 'gitea' : vendor;
}
