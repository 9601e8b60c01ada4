import { coversCategories } from '@knowhow/shared/access/admin-rights';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { useRight, useSkillScope } from '../../../ui/rights.ts';
import { usePolicyText } from '../../../ui/text/use-policy-text.ts';
import type { EditedSkill } from './edited-skill.ts';

export interface DraftProps {
  skill: Pick<EditedSkill, 'name' | 'checksum' | 'published'>;
  draft: SkillDraft;
}

/** Whether the user may approve their own draft once it is submitted, and what to tell them about that. */
export function useApproval({ skill: { published }, draft: { category, policy } }: DraftProps) {
  const policyText = usePolicyText();
  const isManager = useRight('skills');
  const categories = published ? [published.category, category] : [category];
  const isPublisher = coversCategories(useSkillScope('publish'), categories);
  const isDirect = policy.mode === 'direct';
  const mayApprove = isDirect ? isManager || isPublisher : isPublisher && !policy.fourEyes;
  return { mayApprove, text: policyText(policy, mayApprove) };
}
