/** What is wrong with a path, as a problem's issue says it. */
export interface PathFault {
  code: string;
  message: string;
}

const maxCharacters = 256;
/** What common file systems take for one name, in bytes of UTF-8. */
const maxNameBytes = 255;

/**
 * What forbids a path relative to a skill's folder, with forward slashes, for every file we write; on
 * every system that the skill may be carried to. Undefined when nothing does.
 */
export function faultOfPath(path: string): PathFault | undefined {
  const broken = pathRules.find(({ breaks }) => breaks(path));
  return broken && { code: broken.code, message: broken.message };
}

/** The same for a single name, such as that of a skill's folder. */
export function faultOfName(name: string): PathFault | undefined {
  return name.includes('/')
    ? { code: 'path-nested', message: 'The name holds a slash.' }
    : faultOfPath(name);
}

interface PathRule extends PathFault {
  breaks: (path: string) => boolean;
}

/** The first that is broken is reported. */
const pathRules: readonly PathRule[] = [
  {
    code: 'path-empty',
    message: 'The path is empty.',
    breaks: (path) => path === '',
  },
  {
    code: 'path-too-long',
    message: `The path is longer than ${maxCharacters} characters.`,
    breaks: (path) => [...path].length > maxCharacters,
  },
  {
    code: 'path-control-character',
    message: 'The path holds a control character or half of one.',
    breaks: (path) => /[\p{Cc}\p{Cs}]/u.test(path),
  },
  {
    code: 'path-backslash',
    message: 'The path holds a back-slash; folders are separated by "/".',
    breaks: (path) => path.includes('\\'),
  },
  {
    code: 'path-absolute',
    message: 'The path begins at the root of a disk.',
    breaks: (path) => path.startsWith('/') || /^[A-Za-z]:/.test(path),
  },
  {
    code: 'path-outside',
    message: 'The path leads to a folder above by "..".',
    breaks: someName((name) => name === '..'),
  },
  {
    code: 'path-empty-name',
    message: 'The path has an empty name or "." between its slashes.',
    breaks: someName((name) => name === '' || name === '.'),
  },
  {
    code: 'path-trailing',
    message: 'A name in the path ends with a dot or a blank.',
    breaks: someName((name) => /[.\s]$/.test(name)),
  },
  {
    code: 'path-reserved-name',
    message: 'A name in the path is that of a device on Windows, such as "con" or "nul.txt".',
    breaks: someName(isDeviceName),
  },
  {
    code: 'path-name-too-long',
    message: `A name in the path takes more than ${maxNameBytes} bytes.`,
    breaks: someName((name) => Buffer.byteLength(name) > maxNameBytes),
  },
];

function someName(breaks: (name: string) => boolean): (path: string) => boolean {
  return (path) => path.split('/').some(breaks);
}

/** Windows takes the name for the device whatever follows its first dot. */
function isDeviceName(name: string): boolean {
  const [base = ''] = name.split('.');
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i.test(base.trimEnd());
}
