import { join } from 'node:path';
import { type Knowhow, startKnowhow } from '../start-knowhow.ts';
import { adminCookie } from './admin-cookie.ts';
import { writeRealSkills } from './real-skills.ts';
import { measureCost, measureRestarts, medianOf, read, scanCost } from './skill-starts.ts';
import { quantile } from './statistics.ts';

/** The cost of thousands of skills like published ones. */
export interface RealSkillFigures {
  /** The first scan relative to plain reading of every `SKILL.md`: in wall time, and in processor time. */
  scanRatio: number;
  scanCpuRatio: number;
  readyMs: number;
  /** 99th percentile of `/api/health` durations during the scan. */
  healthMs: number;
  /** `GET /api/admin/skills` without a filter: wall time, processor time, and size. */
  adminListMs: number;
  adminListCpuMs: number;
  adminListKb: number;
}

/** @param nodeArgs options for Node itself, such as `--cpu-prof` */
export async function measureRealSkills(nodeArgs: string[]): Promise<RealSkillFigures> {
  const knowhow = await startKnowhow({ nodeArgs });
  try {
    const without = await measureRestarts(knowhow, []);
    const files = await writeRealSkills(join(knowhow.contentsDir, 'skills'));
    const loaded = await measureRestarts(knowhow, files);
    const { ratio } = scanCost(loaded, without);
    return {
      scanRatio: ratio.ms,
      scanCpuRatio: ratio.cpuMs,
      readyMs: medianOf(loaded, 'readyMs'),
      healthMs: quantile(
        loaded.flatMap(({ healthMs }) => healthMs),
        0.99,
      ),
      ...(await takeAdminList(knowhow)),
    };
  } finally {
    await knowhow.end('SIGTERM');
    await knowhow.dispose();
  }
}

async function takeAdminList(
  knowhow: Knowhow,
): Promise<Pick<RealSkillFigures, 'adminListMs' | 'adminListCpuMs' | 'adminListKb'>> {
  const cookie = await adminCookie(knowhow);
  const times: number[] = [];
  let size = 0;
  const list = async () => {
    const asked = performance.now();
    size = (await read(knowhow, '/api/admin/skills', cookie)).length;
    times.push(performance.now() - asked);
  };
  const adminListCpuMs = await measureCost(knowhow, 30, list);
  return { adminListMs: quantile(times, 0.5), adminListCpuMs, adminListKb: size / 1000 };
}
