import { expect, test } from 'vitest';
import { fillFields, isSecretName, maskSecrets, withholdSecrets } from './secret-fields.ts';

test.each(
  'apiKey api_key APIKEY ApiKey openaiApiKey OPENAI_KEY x-api-key apiKey2 apikey privateKey password db_password dbpassword passwd secret clientSecret client_secret token accessToken access_token credentials Authorization apiKeys API_KEYS tokens secrets clientSecrets privateKeys passwords pass smtpPass pwd refreshtoken encryptionkey hmackey'.split(
    ' ',
  ),
)('%s is recognised as a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  'key keys publicKey sortKey titleKey apiKeyEnv tokenLimit maxTokens stopTokens stopToken bypass tokenizer secretName keyboard monkey passwordless'.split(
    ' ',
  ),
)('%s is not recognised as a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each<[string, string, string[]]>([
  ['{"apiKey": "sk-1"}', '{"apiKey": ""}', ['apiKey']],
  ['\uFEFF{"apiKey":"sk-1"}\r\n', '\uFEFF{"apiKey":""}\r\n', ['apiKey']],
  ['{"token":"1","token":"2"}', '{"token":"","token":""}', ['token', 'token']],
  ['{"a":[{"n":1},{"apiKey":"x"}]}', '{"a":[{"n":1},{"apiKey":""}]}', ['a.1.apiKey']],
  ['{"b":{"secret":"a\\"b\\u0041"}}', '{"b":{"secret":""}}', ['b.secret']],
  ['{"token": "${A_TOKEN}"}', '{"token": "${A_TOKEN}"}', []],
  ['{"token": "Bearer ${A_TOKEN:-}"}', '{"token": "Bearer ${A_TOKEN:-}"}', []],
  ['{"token": "${A_TOKEN:-sk-1}"}', '{"token": ""}', ['token']],
  ['{"token": ["a", "", 1]}', '{"token": ["", "", 1]}', ['token.0']],
  ['{"secrets": {"a": ["b"]}}', '{"secrets": {"a": [""]}}', ['secrets.a.0']],
  ['{"privateKey": {"pem": "${PEM}"}}', '{"privateKey": {"pem": "${PEM}"}}', []],
  [
    '{"sortKeys": ["a"], "publicKey": {"b": "c"}}',
    '{"sortKeys": ["a"], "publicKey": {"b": "c"}}',
    [],
  ],
  ['{"checks": {"secrets": "required"}}', '{"checks": {"secrets": "required"}}', []],
  ['{"tokens": 5, "apiKey": [6, true]}', '{"tokens": 5, "apiKey": [6, true]}', []],
  ['{"name": "a", broken', '{"name": "a", broken', []],
])('withholding the secrets of %j yields %j', (text, expected, fields) => {
  expect(withholdSecrets(text)).toEqual({ text: expected, fields });
});

test('fills empty fields with the values another text has at the same position', () => {
  const paths = ['a.token', 'b.token'];
  const other = '{"b":{},"a":{"token":"\\u0041"},"c":"d"}';
  expect(fillFields('{"a":{"token":""},"b":{"token":""},"c":""}', paths, other)).toEqual({
    text: '{"a":{"token":"\\u0041"},"b":{"token":""},"c":""}',
    missing: ['b.token'],
  });
});

test.each<[string, string, string]>([
  [
    'the other entry belongs to another vendor',
    '[{"n":"a","key_key":""}]',
    '[{"n":"b","key_key":"1"}]',
  ],
  ['a parent entry differs', '[{"n":"a","o":{"token":""}}]', '[{"n":"b","o":{"token":"1"}}]'],
  ['entries cannot be distinguished', '[{"token":"","n":1}]', '[{"token":"1","n":1}]'],
  ['a list is longer', '{"tokens":["","a"]}', '{"tokens":["1","2","3"]}'],
  ['the key is duplicated', '{"token":"","token":"a"}', '{"token":"1"}'],
  ['the key is duplicated in the other text', '{"token":""}', '{"token":"1","token":"2"}'],
  ['only the joined path is the same', '{"a.token":""}', '{"a":{"token":"1"}}'],
  ['the other text is broken', '{"token":""}', '{"token":"1"'],
])('fills nothing if %s', (_, text, other) => {
  const paths = ['0.key_key', '0.token', '0.o.token', 'tokens.0', 'token', 'a.token'];
  const { missing, ...filled } = fillFields(text, paths, other);
  expect(filled).toEqual({ text });
  expect(missing).toHaveLength(1);
});

test('fills fields of an array entry with the same identity', () => {
  const other = '{"list":[{"token":"1","n":"a","o":{"tokens":["2","3"]},"apiKey":"new"}]}';
  const text = other.replace(/"[123]"/g, '""');
  const paths = ['list.0.token', 'list.0.o.tokens.0', 'list.0.o.tokens.1'];
  expect(fillFields(text, paths, other)).toEqual({ text: other, missing: [] });
});

test.each([
  '{"a": [1, "token": "b"}',
  "{\"a\" 1, 'apiKey': 'b'}",
  '{"clientSecrets": "b", }',
  '{"api key": "b", }',
  '{"\\u0061piKey": "b", }',
  '// token',
  Buffer.from('{"apiKey": "b"}', 'utf16le').toString('latin1'),
])('rejects %j, which is invalid JSON and may contain a secret', (text) => {
  expect(() => withholdSecrets(text)).toThrow(SyntaxError);
  expect(maskSecrets(text)).toBe('***');
});

test("masks secrets anywhere in a value, and in a file's text", () => {
  const value = { id: 'm', apiKey: 'sk-1', list: [{ token: 'x', n: null }], token: '${A_TOKEN}' };
  expect(maskSecrets(value)).toEqual({
    ...value,
    apiKey: '***',
    list: [{ token: '***', n: null }],
  });
  expect(maskSecrets({ tokens: ['a', 5, '${A}'], privateKey: { pem: 'x' } })).toEqual({
    tokens: ['***', 5, '${A}'],
    privateKey: { pem: '***' },
  });
  expect(maskSecrets('{"apiKey":"sk-1"}')).toBe('{"apiKey":""}');
  expect(maskSecrets(undefined)).toBe(undefined);
});

test('rejects values that are nested too deeply', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}{"token":"a"}${']'.repeat(depth)}`;
  expect(() => withholdSecrets(nested(1_000_000))).toThrow(RangeError);
  expect(withholdSecrets(nested(500)).fields).toHaveLength(1);
});
