import { describe, expect, it } from 'vitest';
import { allowVariables } from './allowed-variables.ts';

const everything = (name: string, value = 'x') => allowVariables({ [name]: value })([name]);

describe('an environment variable', () => {
  it('can be read if its name starts with KNOWHOW_ or is listed', () => {
    const variables = { KNOWHOW_CITY: 'Bonn', COMPANY_NAME: 'Example', HOME: '/root' };
    const allowed = allowVariables(variables)(['COMPANY_NAME', 'NOT_SET']);
    expect(allowed.valueOf('KNOWHOW_CITY')).toBe('Bonn');
    expect(allowed.valueOf('COMPANY_NAME')).toBe('Example');
    expect(allowed.valueOf('HOME')).toBeUndefined();
    expect(allowed.refusal('NOT_SET')).toBeUndefined();
    expect(allowed.refusal('HOME')).toContain('add "HOME" to "placeholders"');
  });

  it.each(
    'PGPASSWORD GITHUB_PAT GH_TOKEN AWS_ACCESS_KEY_ID OPENAI_API_KEY MYSQL_PWD SMTP_PASS DB_PASSWD APIKEY PRIVATE_NOTE BASIC_AUTH OAUTH SENTRY_DSN DATABASE_URL AZURE_STORAGE_CONNECTION_STRING GOOGLE_APPLICATION_CREDENTIALS JWT_SIGNER CLIENT_SECRET KNOWHOW_ADMIN_PASSWORD SSH_KEYS SESSION_COOKIE'.split(
      ' ',
    ),
  )('%s cannot be read even if it is listed', (name) => {
    const allowed = everything(name);
    expect(allowed.allows(name)).toBe(false);
    expect(allowed.valueOf(name)).toBeUndefined();
    expect(allowed.refusal(name)).toContain(`${name} is called like a secret`);
  });

  it.each(['COMPANY_NAME', 'AUTHOR', 'KEYCLOAK_REALM', 'PATH_PREFIX', 'MODEL_URL', 'LANG'])(
    '%s can be read if it is listed',
    (name) => expect(everything(name).valueOf(name)).toBe('x'),
  );

  it.each([
    'postgres://me:hidden@db.example/x',
    'https://hidden@db.example',
    'Server=db;Password=hidden',
    'sk-proj-0123456789abcdef',
    'ghp_0123456789abcdef',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    '-----BEGIN PRIVATE KEY-----',
    'AKIAIOSFODNN7EXAMPLE',
  ])('with the value %s cannot be read', (value) => {
    const allowed = everything('KNOWHOW_THING', value);
    expect(allowed.valueOf('KNOWHOW_THING')).toBeUndefined();
    expect(allowed.refusal('KNOWHOW_THING')).toContain('looks like a secret');
    expect(allowed.refusal('KNOWHOW_THING')).not.toContain(value);
  });

  it.each([
    'https://models.example/v1?team=a',
    'http://127.0.0.1:1234/v1',
    'Müller & Söhne',
    'me@x.org',
  ])('with the value %s can be read', (value) =>
    expect(everything('KNOWHOW_THING', value).valueOf('KNOWHOW_THING')).toBe(value),
  );
});
