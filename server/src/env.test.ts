import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { formatOf, parseEnvironment, variableNames } from './env.ts';
import { projectDirectory } from './project.ts';
import { startTestServer } from './testing/start-test-server.ts';

test('uses the documented defaults if nothing is set', () => {
  expect(parseEnvironment({ PORT: '' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    trustProxy: false,
    logLevel: 'info',
    skillsStrict: false,
    skillsExtraDirectories: [],
    skillLimits: { maxDepth: 12, maxFolders: 200_000 },
    sizeLimits: { files: 512, bytes: 16 * 1024 * 1024, fileBytes: 4 * 1024 * 1024 },
    modelHosts: [],
    backupSchedule: undefined,
  });
});

test.each([
  ['PORT', 'many', 'a port number from 0 to 65535'],
  ['PORT', '70000', 'a port number from 0 to 65535'],
  ['METRICS_PORT', 'many', 'a port number from 0 to 65535'],
  ['LOG_LEVEL', 'loud', 'one of fatal, error, warn'],
  ['ADMIN_PASSWORD', 'short', 'at least 8 characters'],
  ['PUBLIC_URL', 'know', 'an http or https address'],
  ...['/knowhow', '/?a=1', '?', '#top', '/a/..;/'].map((rest): [string, string, string] => [
    'PUBLIC_URL',
    `https://example.org${rest}`,
    'an http or https address of a host',
  ]),
  ['PUBLIC_URL', 'https://me@example.org', 'an http or https address of a host'],
  ['LOG_FORMAT', 'xml', 'auto, json or pretty'],
  ['TRUST_PROXY', 'banana', 'true, false, a number of proxies, or their addresses'],
  ['TRUST_PROXY', '-1', 'true, false, a number of proxies'],
  ['TRUST_PROXY', '10.0.0.0/33', 'true, false, a number of proxies'],
  ...[
    ...['0.0.0.0/0', '::/0', '10.0.0.0/00', '10.0.0.0/8, 0.0.0.0/0', '::1%lo', 'fe80::1%1/64'],
    ...['loopback,', '1e2', '1000', '0x1', '-0', 'TRUE', 'true ', 'true,10.0.0.1'],
    ...['10.0.0.0/255.0.0.0', '10.0.0.0/8/8', '10.0.0.0/', '/8', '01.2.3.4', '[::1]', '10.*'],
  ].map((value): [string, string, string] => ['TRUST_PROXY', value, 'true, false, a number']),
  ['PORT', '0x10', 'a port number'],
  ['PORT', '1e3', 'a port number'],
  ['PORT', '\u0663', 'a port number'],
  ['PUBLIC_URL', 'javascript:alert(1)', 'an http or https address'],
  ['PUBLIC_URL', 'http://a:99999', 'an http or https address'],
  ['DATABASE_URL', 'mysql://a/b', 'an address of PostgreSQL'],
  ['DATABASE_URL', 'postgres://a:99999/b', 'an address of PostgreSQL'],
  ['DATABASE_URL', 'postgres://a/b?sslrootcert=/nowhere', 'an address of PostgreSQL'],
  ['DATABASE_URL', 'postgres://a/b?sslcert=/tmp&sslmode=require', 'an address of PostgreSQL'],
  ['SECRET_KEY', 'AAAA', '32 bytes in base64'],
  ['LOG_LEVEL', '__proto__', 'one of fatal'],
  ['SCRIPT_RUNNER_URL', 'http://a:99999', 'the http or https address'],
  ['SCRIPT_IMAGES', '__proto__=a', 'the name of an image'],
  ['TURN_IDLE_MINUTES', '1.5', 'a number of minutes'],
  ['TRACE_DAYS', '\uff11', 'a number of days'],
  ['CONNECTIONS_PER_ADDRESS', '1e3', 'a number of connections'],
  ['MODEL_HOSTS', 'example.org, https://a.example/v1', 'hosts such as'],
  ['MODEL_HOSTS', '*.example.org', 'hosts such as'],
  ['MODEL_HOSTS', 'ftp://example.org', 'hosts such as'],
  ['MODEL_HOSTS', 'me:secret@example.org', 'hosts such as'],
  ['SCRIPT_IMAGES', 'python=a b', 'the name of an image, or "python=…'],
  ['SCRIPT_IMAGES', 'ruby=ruby:3', 'the name of an image, or "python=…'],
  ['SKILLS_STRICT', 'maybe', 'true or false'],
  ['SKILLS_MAX_DEPTH', '0', 'a number of levels from 1 to 99'],
  ['SKILLS_MAX_FOLDERS', 'all', 'a number of folders'],
  ['SKILLS_MAX_FILES', '5001', 'a number of files from 1 to 5000'],
  ['SKILLS_MAX_KIB', '16 MiB', 'a size in KiB from 1 to 65536'],
  ['SKILLS_MAX_FILE_KIB', '0', 'a size in KiB from 1 to 65536'],
  ['BACKUP_CRON', 'nightly', 'a cron expression, such as'],
  ['BACKUP_CRON', '0 3 31 2 *', 'a cron expression, such as'],
  ['BACKUP_KEEP', '0', 'a number of backups'],
  ['SMTP_URL', 'mail.example.com', 'an address such as smtps://'],
  ['SMTP_URL', 'http://mail.example.org', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://:25', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://mail.example.org/path', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://mail.example.org?pool=true', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://me@mail.example.org', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://me:100%zz@mail.example.org', 'an address such as smtps://'],
  ['SMTP_URL', 'smtp://mail.example.org:99999', 'an address such as smtps://'],
  ['MAIL_FROM', 'Skill team', 'knowhow@example.org or'],
  ['MAIL_FROM', 'Knowhow <knowhow@example.org>, eve@example.org', 'knowhow@example.org or'],
  ['MAIL_FROM', 'a\r\nBcc: eve@example.org', 'knowhow@example.org or'],
  ['MAIL_MINUTES', '1441', 'a number of minutes from 0 to 1440'],
])(
  'names an invalid %s (%s) and its expected format without repeating the value',
  (name, value, takes) => {
    const parse = () => parseEnvironment({ [name]: value });
    expect(parse).toThrow(`${name} is wrong: it takes ${takes}`);
    expect(parse).not.toThrow(value);
  },
);

test('uses DOCKER_HOST only if containers are enabled', () => {
  const read = (variables: Record<string, string>) => parseEnvironment(variables).scriptRunner;
  const wanted = { SCRIPT_RUNNER: 'container', SCRIPT_IMAGES: 'registry:5000/a/all:1' };
  const all = 'registry:5000/a/all:1';
  expect(read(wanted).container).toEqual({
    engine: { socketPath: '/var/run/docker.sock' },
    images: { python: all, sh: all, node: all },
  });
  const elsewhere = { ...wanted, DOCKER_HOST: 'tcp://[::1]:2375', SCRIPT_IMAGES: 'sh=a,node=b' };
  expect(read(elsewhere).container).toEqual({
    engine: { host: '::1', port: 2375 },
    images: { sh: 'a', node: 'b' },
  });
  const foreign = { DOCKER_HOST: 'ssh://someone@example.org' };
  expect(read({ SCRIPT_RUNNER: 'auto', ...foreign }).container).toBeUndefined();
  for (const wrong of [foreign, { DOCKER_HOST: 'tcp://localhost:70000' }]) {
    expect(() => read({ ...wanted, ...wrong })).toThrow('DOCKER_HOST is wrong: it takes unix:///');
  }
});

test.each([
  'https://example.org',
  'https://Example.org:443/',
  'http://10.0.0.1:3000',
  'http://[::1]:80',
])('accepts PUBLIC_URL %s', (url) => {
  expect(parseEnvironment({ PUBLIC_URL: url }).publicUrl).toBe(url);
});

test.each([
  ['true', true],
  ['1', 1],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['loopback, fd00::/8', 'loopback, fd00::/8'],
])('parses TRUST_PROXY=%s', (value, expected) => {
  expect(parseEnvironment({ TRUST_PROXY: value }).trustProxy).toBe(expected);
});

test('accepts hosts, ports, and explicit http in MODEL_HOSTS', () => {
  const MODEL_HOSTS =
    'Gateway.example.org, a.example:8443,http://gpu:8000, [2001:db8::1], bücher.example';
  expect(parseEnvironment({ MODEL_HOSTS }).modelHosts).toEqual([
    'https://gateway.example.org',
    'https://a.example:8443',
    'http://gpu:8000',
    'https://[2001:db8::1]',
    'https://xn--bcher-kva.example',
  ]);
});

test('requires a folder and a time for scheduled backups', () => {
  const [BACKUP_DIR, BACKUP_CRON] = ['/backups', '0 3 * * *'];
  expect(parseEnvironment({ BACKUP_DIR, BACKUP_CRON }).backupSchedule).toEqual({
    directory: BACKUP_DIR,
    cron: BACKUP_CRON,
    keep: 14,
    data: false,
  });
  expect(() => parseEnvironment({ BACKUP_DIR })).toThrow(/^BACKUP_CRON is wrong: /);
  expect(() => parseEnvironment({ BACKUP_CRON })).toThrow(/^BACKUP_DIR is wrong: /);
});

const sender = { name: '', address: 'knowhow@example.org' };

test.each([
  ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false }],
  ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, secure: true }],
  ['smtp://mail.example.org:80', { host: 'mail.example.org', port: 80, secure: false }],
  [
    'smtps://me%40example.org:pa%21%3Ass@[::1]:2525',
    {
      ...{ host: '::1', port: 2525, secure: true },
      auth: { user: 'me@example.org', pass: 'pa!:ss' },
    },
  ],
])('reads the mail server %s', (SMTP_URL, smtp) => {
  const { mail } = parseEnvironment({ SMTP_URL, MAIL_FROM: sender.address });
  expect(mail).toEqual({ smtp, from: sender, minutes: 10 });
});

test('requires a mail server and a sender for e-mail', () => {
  const SMTP_URL = 'smtp://mail.example.org';
  const MAIL_FROM = 'Team Knowhow <knowhow@example.org>';
  expect(parseEnvironment({ SMTP_URL, MAIL_FROM }).mail?.from.name).toBe('Team Knowhow');
  expect(() => parseEnvironment({ SMTP_URL })).toThrow(/^MAIL_FROM is wrong: /);
  expect(() => parseEnvironment({ MAIL_FROM })).toThrow(/^SMTP_URL is wrong: /);
});

test('treats a folder of SKILLS_EXTRA_DIRS that ends in /** as recursive', () => {
  expect(parseEnvironment({ SKILLS_EXTRA_DIRS: '/srv/one:/srv/all/**:/**' })).toMatchObject({
    skillsExtraDirectories: ['/srv/one', '/srv/all', '/'],
    skillsExtraRecursive: ['/srv/all', '/'],
  });
});

test.each([
  ...['0', '999', '127.0.0.1', '::1', '10.0.0.0/1', '::/1', '::ffff:10.0.0.1', 'loopback'],
  ...['::ffff:10.0.0.0/104', ' linklocal , uniquelocal,fd00::/8', '10.0.0.0/8,192.168.0.0/16'],
])('starts a server with TRUST_PROXY=%s', async (value) => {
  const server = await startTestServer({ environment: { TRUST_PROXY: value } });
  onTestFinished(server.close);
  expect((await server.visitor()('/api/health')).status).toBe(200);
});

const exampleFile = readFileSync(join(projectDirectory, '.env.example'), 'utf8');

test('lists every variable of the server and of docker-compose.yml in .env.example', () => {
  const listed = [...exampleFile.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  const composeFile = readFileSync(join(projectDirectory, 'docker-compose.yml'), 'utf8');
  const compose = [...composeFile.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining([...variableNames, ...compose]));
});

test('shows the default of every variable in .env.example', () => {
  const { variables: _, publish: __, ...shown } = parseEnvironment(parseEnv(exampleFile));
  expect(parseEnvironment({})).toMatchObject(shown);
});

test.each(variableNames.filter((name) => formatOf(name) !== undefined))(
  'says in .env.example which values %s takes',
  (name) => {
    const lines = exampleFile.split('\n');
    const line = lines[lines.findIndex((each) => each.startsWith(`${name}=`)) - 1];
    expect(line).toBe(`# Takes ${formatOf(name)}.`);
  },
);
