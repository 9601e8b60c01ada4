import { analyticsApi, type SkillReport, type SkillUse } from '@knowhow/shared/config/analytics';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';

/** The usage report as shown to admins. */
export function readReport(admin: Visitor, query = ''): Promise<SkillReport> {
  return parseAnswer(analyticsApi.skills.response, admin(`/api/admin/analytics/skills${query}`));
}

/** The usage of one skill. */
export function useIn({ skills }: SkillReport, name: string): SkillUse | undefined {
  return skills.find((skill) => skill.name === name);
}
