import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../testing/listen-on.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { hostAndPort, OutboundRefused, outboundRules } from './outbound/outbound-rules.ts';
import { classifyAddress } from './outbound/private-addresses.ts';

function guarded(allowed: readonly string[] = [], find?: LookupFunction): GuardedFetch {
  const fetching = createGuardedFetch({ allowPrivate: () => allowed, ...(find ? { find } : {}) });
  onTestFinished(fetching.close);
  return fetching;
}

/**
 * A DNS stub that returns one address per lookup, and the last one from then on (DNS rebinding).
 */
function lookupsTo(...addresses: string[]): LookupFunction {
  let asked = 0;
  return (_name, options, callback) => {
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
    asked += 1;
    const family = address.includes(':') ? 6 : 4;
    if (options.all) {
      callback(null, [{ address, family }]);
      return;
    }
    callback(null, address, family);
  };
}

async function serve(listener: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const port = await listenOn(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      listener(request, response);
    }),
  );
  return { port, asked };
}

const refusedFor = (rule: string, text: string | RegExp = '') =>
  expect.objectContaining({
    constructor: OutboundRefused,
    rule,
    message: expect.stringMatching(text),
  });

describe('an address outside the public internet', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback by its name', 'localhost'],
    ['loopback as one number', '2130706433'],
    ['loopback in octal', '0177.0.0.1'],
    ['loopback in hexadecimal', '0x7f.1'],
    ['the unspecified address', '0.0.0.0'],
    ['loopback of IPv6', '[::1]'],
    ['loopback, mapped', '[::ffff:127.0.0.1]'],
    ['loopback, mapped in hexadecimal', '[::ffff:7f00:1]'],
  ])('is blocked: %s', async (_, host) => {
    const { port, asked } = await serve((_request, response) => response.end('secret'));
    await expect(guarded().fetch(`http://${host}:${port}/`)).rejects.toEqual(
      refusedFor('address', /^\S+ (is|leads to) a private address.*outbound\.allowPrivate/),
    );
    expect(asked).toEqual([]);
  });

  test.each([
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'private'],
    ['224.0.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['169.254.169.254', 'link-local'],
    ['168.63.129.16', 'link-local'],
    ['100.100.100.200', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['[fd00:ec2::254]', 'link-local'],
    ['[::ffff:169.254.169.254]', 'link-local'],
    ['[64:ff9b::169.254.169.254]', 'link-local'],
    ['[64:ff9b::10.0.0.1]', 'private'],
    ['[64:ff9b:1::10.0.0.1]', 'private'],
    ['[::10.0.0.1]', 'private'],
    ['[::ffff:0:10.0.0.1]', 'private'],
    ['[2002:a00:1::]', 'private'],
    ['[2001:0:a00:1::]', 'private'],
    ['[fc00::1]', 'private'],
    ['[fec0::1]', 'private'],
    ['[ff02::1]', 'private'],
    ['[::]', 'private'],
  ])('is classified: %s is %s', async (host, kind) => {
    await expect(guarded().fetch(`http://${host}/`)).rejects.toEqual(
      refusedFor('address', ` is a ${kind} address`),
    );
    const bare = host.replace(/[[\]]/g, '');
    const lookedUp = guarded([], lookupsTo(bare)).fetch('http://name.example/');
    await expect(lookedUp).rejects.toEqual(
      refusedFor('address', `name.example leads to a ${kind} address`),
    );
  });

  test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '64:ff9b::808:808', '::ffff:8.8.8.8'])(
    'does not include %s',
    (address) => expect(classifyAddress(address)).toBeUndefined(),
  );

  test('is reachable if the allowlist has its host, host and port, address or range', async () => {
    const { port } = await serve((_request, response) => response.end('here'));
    const text = async (host: string, allowed: string) =>
      (await guarded([allowed], lookupsTo('127.0.0.1')).fetch(`http://${host}:${port}/`)).text();
    expect(await text('mcp.internal', 'MCP.internal')).toBe('here');
    expect(await text('mcp.internal.', `mcp.internal:${port}`)).toBe('here');
    expect(await text('mcp.internal', '127.0.0.0/8')).toBe('here');
    expect(await text('127.0.0.1', '127.0.0.1')).toBe('here');
    expect(await text('127.0.0.1', `127.0.0.1:${port}`)).toBe('here');
    await expect(text('mcp.internal', `mcp.internal:${port + 1}`)).rejects.toEqual(
      refusedFor('address'),
    );
    await expect(text('sub.mcp.internal', 'mcp.internal')).rejects.toEqual(refusedFor('address'));
  });

  test('is blocked if an allowed name resolves to a cloud metadata address', async () => {
    const fetching = guarded(['mcp.internal'], lookupsTo('169.254.169.254'));
    await expect(fetching.fetch('http://mcp.internal/')).rejects.toEqual(
      refusedFor('address', 'link-local'),
    );
  });

  test('is blocked on DNS rebinding', async () => {
    const { port, asked } = await serve((_request, response) => response.end('secret'));
    const fetching = guarded(['127.0.0.2'], lookupsTo('127.0.0.2', '127.0.0.1'));
    await expect(fetching.fetch(`http://name.example:${port}/`)).rejects.toThrow('ECONNREFUSED');
    await expect(fetching.fetch(`http://name.example:${port}/`)).rejects.toEqual(
      refusedFor('address'),
    );
    expect(asked).toEqual([]);
  });
});

describe('a redirect', () => {
  const headers = {
    accept: 'text/plain',
    authorization: 'Bearer secret',
    cookie: 'a=1',
    'mcp-session-id': 'one',
    'x-api-key': 'secret',
  };

  async function redirectingTo(location: string, status = 302) {
    return serve((_request, response) => response.writeHead(status, { location }).end());
  }

  async function recording() {
    const got: { method: string; headers: IncomingHttpHeaders; body: string }[] = [];
    const { port } = await serve(async (request, response) => {
      const chunks = await request.toArray();
      const { method = '' } = request;
      got.push({ method, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end('there');
    });
    return { port, got };
  }

  test('to a private address is not followed (SSRF)', async () => {
    const inside = await recording();
    const { port } = await redirectingTo(`http://127.0.0.1:${inside.port}/`);
    const fetching = guarded([`localhost:${port}`]);
    await expect(fetching.fetch(`http://localhost:${port}/`)).rejects.toEqual(
      refusedFor('address', '^127.0.0.1 is a private'),
    );
    expect(inside.got).toEqual([]);
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,a', 'http://[/'])(
    'to %s is not followed',
    async (location) => {
      const { port } = await redirectingTo(location);
      const asked = guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`);
      await expect(asked).rejects.toBeInstanceOf(OutboundRefused);
    },
  );

  test('to another origin drops credentials', async () => {
    const other = await recording();
    const { port } = await redirectingTo(`http://127.0.0.1:${other.port}/`);
    await guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`, { headers });
    const [got] = other.got;
    expect(got?.headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'knowhow' });
    expect(got?.headers).not.toHaveProperty('authorization');
    expect(got?.headers).not.toHaveProperty('cookie');
    expect(got?.headers).not.toHaveProperty('x-api-key');
    expect(got?.headers).not.toHaveProperty('mcp-session-id');
  });

  test('within its origin keeps headers, and the body if it must be sent again', async () => {
    const got: (string | undefined)[] = [];
    const { port } = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      got.push(`${request.method} ${request.headers['x-api-key']} ${body}`);
      const location = request.url === '/' ? '/second' : undefined;
      response.writeHead(location ? 307 : 200, location ? { location } : {}).end('there');
    });
    const sent = { method: 'POST', body: 'data', headers };
    const answer = await guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`, sent);
    expect(await answer.text()).toBe('there');
    expect(answer.url).toBe(`http://127.0.0.1:${port}/second`);
    expect(got).toEqual(['POST secret data', 'POST secret data']);
  });

  test('of a request with a body is not followed to another origin', async () => {
    const other = await recording();
    const { port } = await redirectingTo(`http://127.0.0.1:${other.port}/`, 308);
    const body = new URLSearchParams({ client_secret: 'secret' });
    await expect(
      guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }),
    ).rejects.toEqual(refusedFor('redirect', 'that is not followed'));
    expect(other.got).toEqual([]);
  });

  test('loop is limited', async () => {
    const { port, asked } = await redirectingTo('/again');
    await expect(
      guarded(['127.0.0.1']).within({ maxRedirects: 3 })(`http://127.0.0.1:${port}/`),
    ).rejects.toEqual(refusedFor('redirect', 'more than 3 times'));
    expect(asked).toHaveLength(4);
  });

  test('is returned as the response in manual mode', async () => {
    const { port } = await redirectingTo('/again');
    const address = `http://127.0.0.1:${port}/`;
    const answer = await guarded(['127.0.0.1']).fetch(address, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/again']);
  });
});

test.each(['http://10.0.0.7/mcp', 'https://10.0.0.7/mcp', 'http://[fd00::7]/mcp'])(
  '%s on the allowlist does not open other ports of its host',
  (address) => {
    const url = new URL(address);
    const rules = outboundRules([hostAndPort(url)]);
    const port = url.protocol === 'https:' ? 443 : 80;
    expect(() => rules.checkHost({ host: url.hostname, port })).not.toThrow();
    expect(() => rules.checkHost({ host: url.hostname, port: 9200 })).toThrow(OutboundRefused);
  },
);

describe('limits', () => {
  const local = (limits: Parameters<GuardedFetch['within']>[0]) =>
    guarded(['127.0.0.1']).within(limits);

  test('abort a body that is too large after decompression (zip bomb)', async () => {
    const packed = gzipSync(Buffer.alloc(5_000_000));
    const { port } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    );
    const answer = await local({ maxBytes: 100_000 })(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toEqual(refusedFor('size', `127.0.0.1:${port} sent more`));
    const whole = await local({ maxBytes: 5_000_000 })(`http://127.0.0.1:${port}/`);
    expect((await whole.text()).length).toBe(5_000_000);
  });

  test('abort a request without a response', async () => {
    const { port } = await serve(() => undefined);
    await expect(local({ firstByteMs: 50 })(`http://127.0.0.1:${port}/`)).rejects.toEqual(
      refusedFor('time', `127.0.0.1:${port} has not answered within 0.05 seconds`),
    );
  });

  test('abort a body that arrives too slowly', async () => {
    const { port } = await serve(async (_request, response) => {
      while (!response.destroyed) {
        response.write('drip');
        await wait(10);
      }
    });
    const answer = await local({ totalMs: 100 })(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toEqual(refusedFor('time', 'took longer than 0.1 seconds'));
  });

  test('allow long event streams if requested, but not endless events', async () => {
    const { port } = await serve(async (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let count = 0; count < 20; count += 1) {
        response.write(request.url === '/endless' ? 'data: one\n' : 'data: one\r\n\r\n');
        await wait(50);
      }
      response.end();
    });
    const json = { maxDepth: 8, maxValues: 20, maxKeys: 4, maxStringBytes: 50 };
    const fetching = local({ totalMs: 500, maxBytes: 100, json, streams: true });
    const events = await fetching(`http://127.0.0.1:${port}/`);
    expect((await events.text()).match(/one/g)).toHaveLength(20);
    const endless = await fetching(`http://127.0.0.1:${port}/endless`);
    await expect(endless.text()).rejects.toEqual(refusedFor('size', 'in one event'));
  });

  test('apply to event streams that were not requested', async () => {
    const { port } = await serve(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.destroyed) {
        response.write('data: one\n\n'.repeat(100));
        await wait(1);
      }
    });
    const answer = await local({ maxBytes: 10_000 })(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toEqual(refusedFor('size', 'sent more than 10000 bytes'));
    const slow = await local({ totalMs: 50 })(`http://127.0.0.1:${port}/`);
    await expect(slow.text()).rejects.toEqual(refusedFor('time', 'took longer'));
  });

  test('let the caller abort earlier', async () => {
    let ended = false;
    const { port } = await serve((request, response) => {
      response.write('some');
      request.on('close', () => {
        ended = true;
      });
    });
    const controller = new AbortController();
    const { signal } = controller;
    const answer = await local({})(`http://127.0.0.1:${port}/`, { signal });
    controller.abort(new Error('enough'));
    await expect(answer.text()).rejects.toThrow('enough');
    await expect.poll(() => ended).toBe(true);
  });
});

describe('a request', () => {
  test.each(['file:///etc/passwd', 'ftp://example.org/', 'data:text/plain,a'])(
    'must use http or https, not %s',
    async (address) => {
      await expect(guarded().fetch(address)).rejects.toEqual(refusedFor('protocol'));
    },
  );

  test('must not have a password in its URL', async () => {
    await expect(guarded().fetch('https://me:secret@example.org/')).rejects.toEqual(
      refusedFor('address', '^The address of example.org has'),
    );
  });

  test('supports all inputs of fetch', async () => {
    const { port } = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end(`${request.method} ${request.headers['content-type']} ${body}`);
    });
    const fetching = guarded(['127.0.0.1']);
    const url = `http://127.0.0.1:${port}/`;
    const text = async (...input: Parameters<typeof fetch>) =>
      (await fetching.fetch(...input)).text();
    expect(await text(new URL(url), { method: 'put', body: 'a' })).toBe(
      'PUT text/plain;charset=UTF-8 a',
    );
    expect(await text(new Request(url, { method: 'POST', body: new URLSearchParams('a=1') }))).toBe(
      'POST application/x-www-form-urlencoded;charset=UTF-8 a=1',
    );
    const form = new FormData();
    form.set('a', '1');
    expect(await text(url, { method: 'POST', body: form })).toContain('name="a"');
  });

  test('reports an unreachable host', async () => {
    const { port } = await serve(() => undefined);
    await expect(guarded(['127.0.0.2']).fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow(
      `127.0.0.2:${port} does not answer: ECONNREFUSED`,
    );
  });
});
