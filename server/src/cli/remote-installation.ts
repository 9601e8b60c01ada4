import { type PublishedSkill, wellKnownSkillsApi } from '@knowhow/shared/skills/well-known-skills';
import { isApiKey } from '../modules/identity/index.ts';
import { type PackedFile, publishLimits, readSources } from '../modules/skills/index.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import { createGuardedFetch } from '../platform/lib/guarded-fetch.ts';
import { isLoopbackHost } from '../platform/lib/is-loopback-host.ts';
import { parseJson } from '../platform/lib/parse-json.ts';
import { sha256 } from '../platform/lib/sha256.ts';
import { UsageError } from './usage-error.ts';

/** Another installation, as the holder of a key or an anonymous user sees it. */
export interface RemoteInstallation {
  /** The skills that it publishes. */
  readIndex(): Promise<PublishedSkill[]>;
  /** The files of a skill. Throws if the bytes have another digest. */
  readSkill(skill: PublishedSkill): Promise<readonly PackedFile[]>;
  /** Calls its API. Throws a usage error if it cannot be reached; other statuses are answers. */
  send(method: string, path: string, content?: Content): Promise<Answer>;
  close(): Promise<void>;
}

interface Content {
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
}

interface Answer {
  status: number;
  /** Parsed JSON; undefined for anything else. */
  body: unknown;
}

const maxIndexBytes = 20 * 1024 * 1024;
const maxSkillBytes = 32 * 1024 * 1024;
const maxAnswerBytes = 4 * 1024 * 1024;

/** The limits of published skills. */
const sizeLimits = { ...publishLimits, fileBytes: publishLimits.bytes };

/**
 * The address of an installation's index of skills. Throws a usage error for one that others on the network could read
 * along with the key, and change.
 *
 * @param usage the end of a sentence that says how to enter an address
 * @param insecureHttp whether requests without encryption to other machines are allowed
 */
export function indexAddress(
  installation: string | undefined,
  usage: string,
  insecureHttp: boolean,
): URL {
  const base =
    installation !== undefined && URL.canParse(installation) ? new URL(installation) : undefined;
  if (!base || !['http:', 'https:'].includes(base.protocol) || base.username || base.password) {
    throw new UsageError(usage);
  }
  if (base.protocol === 'http:' && !isLoopbackHost(base.hostname) && !insecureHttp) {
    throw new UsageError(
      `${base.origin} is not encrypted: others on the network could read your key and change the skills. Use https, or add --insecure-http.`,
    );
  }
  return new URL(wellKnownSkillsApi.index.path, base);
}

/** Throws a usage error for a malformed key: the server would answer as for anonymous users. */
export function checkKey(key: string | undefined): void {
  if (key !== undefined && !isApiKey(key)) {
    throw new UsageError('KNOWHOW_KEY is not an API key. Copy it again, or unset it.');
  }
}

/**
 * Requests go to the host of the index only, whatever the index says.
 *
 * @param index see `indexAddress`
 */
export function openInstallation(index: URL, key: string | undefined): RemoteInstallation {
  const outbound = createGuardedFetch({ allowPrivate: () => [index.hostname] });
  const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const request = async (url: URL, maxBytes: number, init: RequestInit = {}) => {
    const headers = { ...authorization, ...init.headers };
    const response = await outbound.within({ maxBytes, maxRedirects: 0 })(url, {
      ...init,
      headers,
    });
    // Also of an error: a body that is not read keeps the connection, and the process, for a minute.
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  };
  const get = async (url: URL, maxBytes: number): Promise<Buffer> => {
    const { response, body } = await request(url, maxBytes);
    if (!response.ok) {
      throw new UsageError(
        `${url.origin} answered ${response.status}. ${hintOn(response.status, key)}`,
      );
    }
    return body;
  };
  return {
    readIndex: async () => {
      const bytes = await get(index, maxIndexBytes).catch((error: unknown) => {
        throw error instanceof UsageError ? error : unreadable(index, error);
      });
      const parsed = wellKnownSkillsApi.index.response.safeParse(parseJson(bytes.toString('utf8')));
      if (!parsed.success) {
        throw new UsageError(`${index.href} is not an index of Agent Skills Discovery 0.2.0.`);
      }
      return parsed.data.skills;
    },
    readSkill: async ({ name, type, url, digest }) => {
      const address = new URL(url, index);
      if (address.origin !== index.origin) {
        throw new Error(`Its address is on another host: ${address.host}.`);
      }
      const bytes = await get(address, maxSkillBytes);
      if (`sha256:${sha256(bytes)}` !== digest) {
        throw new Error('Its bytes do not have the digest of the index. Sync again.');
      }
      if (type === 'skill-md') {
        return [{ path: 'SKILL.md', bytes, executable: false }];
      }
      const { skills } = await readSources(bytes, { fileName: `${name}.tar.gz` }, sizeLimits);
      const [skill] = skills;
      if (!skill || skills.length > 1 || skill.root !== '') {
        throw new Error('Its archive does not contain one skill at the top.');
      }
      return skill.files;
    },
    send: async (method, path, content = {}) => {
      const url = new URL(path, index);
      const { response, body } = await request(url, maxAnswerBytes, { method, ...content }).catch(
        (error: unknown) => {
          throw unreadable(url, error);
        },
      );
      return { status: response.status, body: parseJson(body.toString('utf8')) };
    },
    close: () => outbound.close(),
  };
}

function unreadable(url: URL, error: unknown): UsageError {
  return new UsageError(`${url.origin} cannot be read: ${getErrorMessage(error)}`);
}

function hintOn(status: number, key: string | undefined): string {
  if (status !== 401 && status !== 403) {
    return 'Check the address.';
  }
  return key === undefined
    ? 'Set KNOWHOW_KEY to an API key with the scope Skills.'
    : 'The key in KNOWHOW_KEY was deleted, has expired, or lacks the scope Skills. Create a new one in your account menu.';
}
