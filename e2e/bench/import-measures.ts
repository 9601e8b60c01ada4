import { zipSync } from 'fflate';
import { startKnowhow } from '../start-knowhow.ts';
import { adminCookie } from './admin-cookie.ts';
import { skillText } from './many-skills.ts';
import type { Figure, Measure } from './measures.ts';
import type { Stand } from './stand.ts';
import { watchHealth } from './watch-health.ts';

const importedSkills = 3000;

interface ImportFigures {
  /** From the request to its answer, in seconds. */
  seconds: number;
  /** The longest `/api/health` request meanwhile, in milliseconds. */
  longestHealthMs: number;
}

let taken: Promise<ImportFigures> | undefined;

function figure(pick: (figures: ImportFigures) => number) {
  return async ({ profileArgs }: Stand): Promise<Figure> => {
    taken ??= measureImport(profileArgs);
    return { value: pick(await taken) };
  };
}

/** The cost of installing thousands of skills from one archive. */
export const importMeasures: Measure[] = [
  {
    name: `importing ${importedSkills} skills from an archive`,
    unit: 's',
    target: { atMost: 60 },
    take: figure(({ seconds }) => seconds),
  },
  {
    name: 'longest wait for health meanwhile',
    unit: 'ms',
    target: { atMost: 300 },
    take: figure(({ longestHealthMs }) => longestHealthMs),
  },
];

async function measureImport(nodeArgs: string[]): Promise<ImportFigures> {
  const knowhow = await startKnowhow({ nodeArgs });
  try {
    const cookie = await adminCookie(knowhow);
    const body = packSkills();
    const watch = watchHealth(knowhow);
    const started = performance.now();
    const response = await fetch(`${knowhow.url}/api/admin/skills/import`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/zip' },
      body,
    });
    const answer = await response.text();
    const seconds = (performance.now() - started) / 1000;
    if (!response.ok) {
      throw new Error(`The import failed: ${answer.slice(0, 500)}`);
    }
    return { seconds, longestHealthMs: await watch.end() };
  } finally {
    await knowhow.end('SIGTERM');
    await knowhow.dispose();
  }
}

/** A zip archive of skills with two files each. */
function packSkills(): Uint8Array<ArrayBuffer> {
  const files: Record<string, Uint8Array> = {};
  for (let index = 0; index < importedSkills; index++) {
    files[`skill-${index}/SKILL.md`] = Buffer.from(skillText(index));
    files[`skill-${index}/references/prices.md`] = Buffer.from(`# Prices of task ${index}\n`);
  }
  return new Uint8Array(zipSync(files));
}
