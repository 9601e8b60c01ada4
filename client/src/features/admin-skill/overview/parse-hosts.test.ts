import { expect, it } from 'vitest';
import { parseHosts } from './parse-hosts.ts';

it('parses hosts with ports, also from URLs, each once', () => {
  const text =
    ' API.example.org\nhttps://api.example.org:8443/v1?key=x\n*.example.net, 127.0.0.1\n';
  expect(parseHosts(text)).toEqual({
    hosts: ['api.example.org', 'api.example.org:8443', '*.example.net', '127.0.0.1'],
    wrong: [],
  });
});

it.each(['*', 'two words', '*.', 'a/b', 'http://', 'user@example.org', '*example.org'])(
  'rejects %s',
  (text) => {
    expect(parseHosts(text)).toEqual({ hosts: [], wrong: [text] });
  },
);
