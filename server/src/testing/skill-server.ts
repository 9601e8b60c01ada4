import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type McpServer as Mcp, McpServer } from '@modelcontextprotocol/server';
import { type Skill, SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { onTestFinished } from 'vitest';
import type { SkillServer } from '../modules/tools/mcp/mounted-source.ts';
import { skillSession } from '../modules/tools/mcp/skill-session.ts';

/** Skill files by path, such as `acme/pdf/SKILL.md`. */
type Texts = Record<string, string>;

/** A skill server that may send false data. */
export interface OtherServer extends SkillServer {
  /** Its listing; entries may be modified. */
  entries: Skill[];
  /** Contents of its files. */
  texts: Texts;
  /** URIs of requested files. */
  reads: string[];
  /** Issues reported to admins. */
  faults: string[];
  isDown: boolean;
}

/** @param skills files by skill path */
export async function otherServer(id: string, skills: Record<string, Texts>): Promise<OtherServer> {
  const entries = await Promise.all(
    Object.entries(skills).map(([path, files]) => skillEntry(path, files)),
  );
  const texts = Object.fromEntries(
    Object.entries(skills).flatMap(([path, files]) =>
      Object.entries(files).map(([name, text]) => [`skill://${path}/${name}`, text]),
    ),
  );
  const other: Omit<OtherServer, 'use'> = {
    id,
    key: `mcp:${id}`,
    title: `Server ${id}`,
    entries,
    texts,
    reads: [],
    faults: [],
    minListMs: 60_000,
    runInBackground: (act) => act(),
    isDown: false,
    onIssue: (message) => other.faults.push(message),
  };
  const client = await connectTo(lyingServer(other));
  return Object.assign(other, {
    use: async <Result>(run: (session: ReturnType<typeof skillSession>) => Promise<Result>) => {
      if (other.isDown) {
        throw new Error('It cannot be reached.');
      }
      return run(skillSession(client));
    },
  });
}

function lyingServer(other: Pick<OtherServer, 'entries' | 'texts' | 'reads'>): Mcp {
  const mcp = new McpServer({ name: 'other', version: '1' }, { capabilities: { resources: {} } });
  const source = {
    list: () => Promise.resolve({ skills: other.entries }),
    get: (uri: string) => Promise.resolve(other.entries.find((entry) => entry.uri === uri)),
    read: (uri: string) => {
      other.reads.push(uri);
      const text = other.texts[uri];
      return Promise.resolve(text === undefined ? undefined : { text });
    },
  };
  new SkillsExtension({ source }).attach(mcp);
  return mcp;
}

async function connectTo(server: Mcp): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await server.connect(there);
  await client.connect(here);
  onTestFinished(() => client.close());
  return client;
}
