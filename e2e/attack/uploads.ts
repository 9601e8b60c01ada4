import { encode } from 'node:querystring';
import { type Operation, readContract } from './contract.ts';
import type { Field } from './field.ts';
import { exchange } from './raw-socket.ts';
import { worstArchives } from './worst-archives.ts';

const boundary = 'attack';
const formType = `multipart/form-data; boundary=${boundary}`;

interface Upload {
  type: string;
  body: Buffer | string;
}

/** Sends truncated or malformed forms, and malicious archives such as zip bombs, to every upload endpoint. */
export async function attackWithUploads(field: Field): Promise<void> {
  const operations = (await readContract(field)).filter(({ takesFile }) => takesFile);
  field.check(operations.length >= 5, `Only ${operations.length} endpoints take a file.`);
  const { isShort } = field.options;
  const uploads = { ...worstForms(), ...malformedArchives(isShort) };
  for (const [at, [name, upload]] of Object.entries(uploads).entries()) {
    // In the short form, only truncated and wrong forms go to every endpoint; others to one each.
    const isShared = !isShort || /cut|another|second/.test(name);
    const targets = isShared ? operations : operations.slice(at % 5, (at % 5) + 1);
    for (const operation of targets) {
      if (!field.isOver) {
        await sendUpload(field, operation, upload, `(${operation.id}: ${name})`);
      }
    }
  }
  for (const operation of operations) {
    await disconnectMidway(field, operation);
  }
  await expectStillWorks(field);
}

async function sendUpload(
  field: Field,
  operation: Operation,
  { type, body }: Upload,
  replay: string,
): Promise<void> {
  const { method } = operation;
  const request = { method, path: targetPath(operation), headers: { 'content-type': type }, body };
  await field.ask(request, { as: 'admin', replay, mayBreak: body.length > 1_000_000 });
}

/** Disconnects in the middle of a part. */
async function disconnectMidway(field: Field, operation: Operation): Promise<void> {
  const { url } = field.knowhow;
  const begun = part('name="file"; filename="a.zip"', 'PK\u0003\u0004 half');
  for (const type of [formType, 'application/zip']) {
    const head = [
      `${operation.method} ${targetPath(operation)} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      `Origin: ${url}`,
      `Cookie: ${field.getCookie('admin')}`,
      `Content-Type: ${type}`,
      'Content-Length: 100000',
      '',
      begun,
    ];
    field.requests += 1;
    await exchange(url, head.join('\r\n'), { timeoutMs: 100 });
  }
}

/** A valid upload must still work afterwards. */
async function expectStillWorks(field: Field): Promise<void> {
  const body = `${part('name="file"; filename="x.md"', 'Whole.')}--${boundary}--\r\n`;
  const { status } = await field.ask(
    {
      method: 'PUT',
      path: '/api/admin/skills/victim/files/whole.md',
      headers: { 'content-type': formType },
      body,
    },
    { as: 'admin' },
  );
  field.check(status === 200, `A valid upload is answered with ${status} afterwards.`);
}

/** Writes target resources that nothing else needs; a restore is only a dry run. */
function targetPath({ path, id }: Operation): string {
  const query = id === 'backup.import' ? `?${encode({ dryRun: 'true' })}` : '';
  return `${path.replace('{name}', 'victim').replace('{path}', 'new.md')}${query}`;
}

function part(disposition: string, content: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}

function worstForms(): Record<string, Upload> {
  const file = part('name="file"; filename="a.zip"', 'PK');
  const end = `--${boundary}--\r\n`;
  const bodies: Record<string, string> = {
    'nothing at all': '',
    'an end only': end,
    'no end': file,
    'cut in the content': file.slice(0, -8),
    'cut in the head of a part': file.slice(0, 40),
    'cut after the boundary': `--${boundary}\r\n`,
    'another name': part('name="files"; filename="a.zip"', 'PK') + end,
    'another name, cut': part('name="other"; filename="a.zip"', 'PK'),
    'no name': part('filename="a.zip"', 'PK') + end,
    'a field of that name': part('name="file"', 'PK') + end,
    'a second file': file + file + end,
    'a second file, cut': file + file,
    'three files': file + file + file + end,
    'another file, then the file': part('name="x"; filename="x"', 'PK') + file + end,
    'an empty file': part('name="file"; filename=""', '') + end,
    'a name with NUL': part('name="file"; filename="a\u0000/../../b.zip"', 'PK') + end,
    'a name of 100 kB': part(`name="file"; filename="${'€'.repeat(33_000)}"`, 'PK') + end,
    'a name 10,000 folders deep':
      part(`name="file"; filename="${'../'.repeat(5000)}a"`, 'PK') + end,
    '10,000 fields': part('name="x"', 'y').repeat(10_000) + file + end,
    '10,000 files': file.repeat(10_000) + end,
    'a field of 5 MB': part('name="x"', 'y'.repeat(5_000_000)) + file + end,
    'a head of 1 MB': part(`name="file"; x="${'y'.repeat(1_000_000)}"`, 'PK') + end,
    '1,000 heads': `--${boundary}\r\n${'X-A: b\r\n'.repeat(1000)}\r\nPK\r\n${end}`,
  };
  const forms = Object.entries(bodies).map(
    ([name, body]) => [`form: ${name}`, { type: formType, body }] as const,
  );
  return {
    ...Object.fromEntries(forms),
    'form: no boundary': { type: 'multipart/form-data', body: file + end },
    'form: a boundary of 10 kB': {
      type: `multipart/form-data; boundary=${'-'.repeat(10_000)}`,
      body: file + end,
    },
    'form: another boundary': { type: 'multipart/form-data; boundary=no', body: file + end },
  };
}

function malformedArchives(isShort: boolean): Record<string, Upload> {
  return Object.fromEntries(
    Object.entries(worstArchives(isShort)).map(([name, body]) => [
      `archive: ${name}`,
      { type: 'application/octet-stream', body },
    ]),
  );
}
