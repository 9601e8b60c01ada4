import { expect, test } from 'vitest';
import { fillFields, isSecretName, maskSecrets, withholdSecrets } from './secret-fields.ts';

test.each(
  'apiKey api_key APIKEY ApiKey openaiApiKey OPENAI_KEY x-api-key apiKey2 apikey privateKey password db_password dbpassword passwd secret clientSecret client_secret token accessToken access_token credentials Authorization'.split(
    ' ',
  ),
)('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  'key keys publicKey sortKey titleKey apiKeyEnv tokenLimit maxTokens tokens stopToken secretName keyboard monkey passwordless'.split(
    ' ',
  ),
)('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each<[string, string, string[]]>([
  ['{"apiKey": "sk-1"}', '{"apiKey": ""}', ['apiKey']],
  ['\uFEFF{"apiKey":"sk-1"}\r\n', '\uFEFF{"apiKey":""}\r\n', ['apiKey']],
  ['{"token":"1","token":"2"}', '{"token":"","token":""}', ['token', 'token']],
  ['{"a":[{"n":1},{"apiKey":"x"}]}', '{"a":[{"n":1},{"apiKey":""}]}', ['a.1.apiKey']],
  ['{"b":{"secret":"a\\"b\\u0041"}}', '{"b":{"secret":""}}', ['b.secret']],
  ['{"apiKey": "sk-1", broken', '{"apiKey": "", broken', ['apiKey']],
  ['{"apiKey": "sk-1', '{"apiKey": ""', ['apiKey']],
  ['{"token": "${A_TOKEN}"}', '{"token": "${A_TOKEN}"}', []],
  ['{"token": "Bearer ${A_TOKEN:-}"}', '{"token": "Bearer ${A_TOKEN:-}"}', []],
  ['{"token": "${A_TOKEN:-sk-1}"}', '{"token": ""}', ['token']],
  ['{"token": ["apiKey", ""], "apiKey": 5}', '{"token": ["apiKey", ""], "apiKey": 5}', []],
])('%j without its secrets is %j', (text, expected, fields) => {
  expect(withholdSecrets(text)).toEqual({ text: expected, fields });
});

test('what is empty is filled with what another text has at the same place', () => {
  const paths = ['a.token', 'b.token'];
  const other = '{"b":{},"a":{"token":"\\u0041"},"c":"d"}';
  expect(fillFields('{"a":{"token":""},"b":{"token":""},"c":""}', paths, other)).toEqual({
    text: '{"a":{"token":"\\u0041"},"b":{"token":""},"c":""}',
    missing: ['b.token'],
  });
});

test('a value is masked wherever a secret is in it, and so is the text of a file', () => {
  const value = { id: 'm', apiKey: 'sk-1', list: [{ token: 'x', n: null }], token: '${A_TOKEN}' };
  expect(maskSecrets(value)).toEqual({
    ...value,
    apiKey: '***',
    list: [{ token: '***', n: null }],
  });
  expect(maskSecrets('{"apiKey":"sk-1"')).toBe('{"apiKey":""');
  expect(maskSecrets(undefined)).toBe(undefined);
});

test('what is nested too deeply is told', () => {
  expect(() => withholdSecrets('['.repeat(1_000_000))).toThrow(RangeError);
  expect(withholdSecrets(`${'['.repeat(500)}{"token":"a"`).fields).toHaveLength(1);
});
