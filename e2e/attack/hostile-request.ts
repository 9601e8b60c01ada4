import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter } from './contract.ts';
import { hostileText, hostileValue, type KnownNames } from './hostile-value.ts';
import type { HttpRequest } from './send.ts';
import { worstBodies } from './worst-texts.ts';

const bodies = worstBodies();
/** Includes types that do not match the body. */
const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
];

/** Requests to an endpoint: valid at the limits, nearly valid, and invalid. */
export function hostileRequest(operation: Operation, names: KnownNames): Arbitrary<HttpRequest> {
  const { parameters, method } = operation;
  const given = fc.tuple(...parameters.map((parameter) => parameterText(parameter, names)));
  return fc.tuple(given, arbitraryBody(operation, names)).map(([texts, sent]) => ({
    method,
    path: buildPath(operation, texts),
    ...sent,
  }));
}

function parameterText(parameter: Parameter, names: KnownNames): Arbitrary<string | undefined> {
  const { name, schema } = parameter;
  const known = [...(schema.enum ?? []).map(String), ...(names[name] ?? [])];
  // A path has to fit into the 16 KiB of request headers.
  const maxLength = Math.min(schema.maxLength ?? 300, 1500);
  const text = hostileText({ ...schema, maxLength }, known);
  return parameter.in === 'path' ? text : fc.option(text, { nil: undefined });
}

function buildPath({ path, parameters }: Operation, texts: (string | undefined)[]): string {
  let address = path;
  const query: string[] = [];
  for (const [at, { name, in: location }] of parameters.entries()) {
    const text = texts[at];
    if (text === undefined) {
      continue;
    }
    if (location === 'path') {
      address = address.replace(`{${name}}`, () => encode(text, name === 'path'));
    } else {
      query.push(`${name}=${encode(text, false)}`);
    }
  }
  return query.length === 0 ? address : `${address}?${query.join('&')}`;
}

/** Percent-encodes any text, including lone surrogates, which `encodeURIComponent` rejects. */
function encode(text: string, keepsSlashes: boolean): string {
  const plain = keepsSlashes ? /[A-Za-z0-9._/-]/ : /[A-Za-z0-9._-]/;
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return plain.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

function arbitraryBody(
  { method, body, takesFile }: Operation,
  names: KnownNames,
): Arbitrary<Pick<HttpRequest, 'body' | 'headers'>> {
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
  );
  const worst = fc.tuple(fc.constantFrom(...bodies), type);
  const generated = fc.tuple(
    hostileValue(body ?? {}, names).map((value) => JSON.stringify(value) ?? ''),
    type,
  );
  const sent = fc
    .oneof(
      { weight: body && !takesFile ? 9 : 0, arbitrary: generated },
      { weight: 1, arbitrary: worst },
    )
    .map(([text, contentType]) => ({ headers: { 'content-type': contentType }, body: text }));
  // GET requests usually have no body.
  const none = method === 'GET' || method === 'DELETE' ? 20 : 0;
  return fc.oneof({ weight: none, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: sent });
}
