import { manySkills } from './many-skills.ts';
import type { Figure, Measure } from './measures.ts';
import { realSkills } from './real-skills.ts';
import { measureRealSkills, type RealSkillFigures } from './real-skills-stand.ts';
import { measureSkills, pinnedSkills, type SkillFigures } from './skills-stand.ts';
import type { Stand } from './stand.ts';

let taken: Promise<SkillFigures> | undefined;
let takenReal: Promise<RealSkillFigures> | undefined;

/** All figures come from one run of a Knowhow with thousands of skills. */
function figure(pick: (figures: SkillFigures) => number) {
  return async (stand: Stand): Promise<Figure> => {
    taken ??= measureSkills(stand.providerUrl);
    return { value: pick(await taken) };
  };
}

/** The same with skills like published ones. */
function realFigure(pick: (figures: RealSkillFigures) => number) {
  return async ({ profileArgs }: Stand): Promise<Figure> => {
    takenReal ??= measureRealSkills(profileArgs);
    return { value: pick(await takenReal) };
  };
}

/** The cost of thousands of skills. */
export const skillMeasures: Measure[] = [
  {
    name: `first scan of ${manySkills} skills`,
    unit: '× plain reading',
    target: { atMost: 3 },
    take: figure(({ scanRatio }) => scanRatio),
  },
  {
    name: `ready with ${manySkills} skills`,
    unit: 'ms',
    target: { atMost: 3000 },
    take: figure(({ readyMs }) => readyMs),
  },
  {
    name: 'reading and validating a skill, median',
    unit: 'ms',
    target: { atMost: 1 },
    take: figure(({ judgeMs }) => judgeMs),
  },
  {
    name: 'longest wait for health during the scan',
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ longestHealthMs }) => longestHealthMs),
  },
  {
    name: `longest wait for health while ${manySkills} change`,
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ longestHealthChangingMs }) => longestHealthChangingMs),
  },
  {
    name: 'processor time of one change',
    unit: '% of the scan',
    target: { atMost: 1 },
    take: figure(({ changeCpuMs, scanCpuMs }) => (100 * changeCpuMs) / scanCpuMs),
  },
  {
    // 8 for the skill, and 4 for the search index.
    name: 'memory of a skill, with its words in the index',
    unit: 'kB',
    target: { atMost: 12 },
    take: figure(({ kbPerSkill }) => kbPerSkill),
  },
  {
    name: `processor time of GET /api/skills, ${manySkills} visible`,
    unit: 'ms',
    target: { atMost: 20 },
    take: figure(({ listCpuMs }) => listCpuMs),
  },
  {
    name: `processor time of a turn, ${manySkills} visible`,
    unit: 'ms',
    target: { atMost: 20 },
    take: figure(({ turnCpuMs }) => turnCpuMs),
  },
  {
    // Measures their overhead per turn, each in a new conversation.
    name: `processor time of building a request, ${manySkills} visible`,
    unit: 'ms',
    target: { atMost: 10 },
    take: figure(({ turnCpuMs, plainTurnCpuMs }) => Math.max(0, turnCpuMs - plainTurnCpuMs)),
  },
  {
    name: `processor time of building a request, ${pinnedSkills} of them pinned`,
    unit: 'ms',
    target: { atMost: 10 },
    take: figure(({ pinnedTurnCpuMs, plainTurnCpuMs }) =>
      Math.max(0, pinnedTurnCpuMs - plainTurnCpuMs),
    ),
  },
  {
    name: 'catalogue overhead of a skill, beyond name and description',
    unit: 'tokens',
    target: { atMost: 25 },
    take: figure(({ overheadTokens }) => overheadTokens),
  },
];

/** The cost of thousands of skills like published ones. */
export const realSkillMeasures: Measure[] = [
  {
    name: `first scan of ${realSkills} real skills`,
    unit: '× plain reading',
    target: { atMost: 2.5 },
    take: realFigure(({ scanRatio }) => scanRatio),
  },
  {
    name: 'the same in processor time',
    unit: '× plain reading',
    take: realFigure(({ scanCpuRatio }) => scanCpuRatio),
  },
  {
    name: `ready with ${realSkills} real skills`,
    unit: 'ms',
    take: realFigure(({ readyMs }) => readyMs),
  },
  {
    name: 'wait for health during that scan p99',
    unit: 'ms',
    target: { atMost: 50 },
    take: realFigure(({ healthMs }) => healthMs),
  },
  {
    name: `GET /api/admin/skills, ${realSkills} real skills, median`,
    unit: 'ms',
    target: { atMost: 50 },
    take: realFigure(({ adminListMs }) => adminListMs),
  },
  {
    name: 'processor time of it',
    unit: 'ms',
    take: realFigure(({ adminListCpuMs }) => adminListCpuMs),
  },
  {
    name: 'size of its response',
    unit: 'kB',
    take: realFigure(({ adminListKb }) => adminListKb),
  },
];
