import type { PrivateKind } from '@knowhow/shared/skills/conversation-skill';
import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import cards from '../../ui/layout/item-cards.module.css';
import classes from './my-skills.module.css';
import type { WrittenSkill } from './written-skill.ts';

interface PrivateWordsProps {
  skill: WrittenSkill;
  onChange: (changed: Partial<WrittenSkill>) => void;
}

/** Words of a conversation that a skill should not repeat, each with a button that replaces it everywhere. */
export function PrivateWords({ skill, onChange }: PrivateWordsProps) {
  const { t } = useTranslation();
  const { description, instructions, prompts = [] } = skill;
  const text = [description, instructions, ...prompts].join('\n');
  const left = (skill.private ?? []).filter((words) => text.includes(words.text));
  if (left.length === 0) {
    return null;
  }

  function replace(some: typeof left) {
    const clean = (part: string) =>
      some.reduce(
        (rest, words) => rest.replaceAll(words.text, t(placeholderTexts[words.kind])),
        part,
      );
    onChange({
      description: clean(description),
      instructions: clean(instructions),
      prompts: prompts.map(clean),
    });
  }

  return (
    <section className={cards.card} aria-label={t('mySkills.fromConversation.check')}>
      <h2 className={cards.name}>
        <IconShieldLock size={18} aria-hidden />
        {t('mySkills.fromConversation.check')}
      </h2>
      <p className={classes.note}>{t('mySkills.fromConversation.checkText')}</p>
      <ul className={classes.words}>
        {left.map((words) => (
          <li key={words.text}>
            <span className={classes.kind}>{t(kindTexts[words.kind])}</span>
            <span className={classes.word}>{words.text}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${t('mySkills.fromConversation.replace')}: ${words.text}`}
              onClick={() => replace([words])}
            >
              {t('mySkills.fromConversation.replace')}
            </Button>
          </li>
        ))}
      </ul>
      {left.length > 1 && (
        <div>
          <Button variant="default" onClick={() => replace(left)}>
            {t('mySkills.fromConversation.replaceAll')}
          </Button>
        </div>
      )}
    </section>
  );
}

const kindTexts = {
  secret: 'mySkills.fromConversation.kinds.secret',
  email: 'mySkills.fromConversation.kinds.email',
  phone: 'mySkills.fromConversation.kinds.phone',
  address: 'mySkills.fromConversation.kinds.address',
  name: 'mySkills.fromConversation.kinds.name',
} as const satisfies Record<PrivateKind, string>;

const placeholderTexts = {
  secret: 'mySkills.fromConversation.placeholders.secret',
  email: 'mySkills.fromConversation.placeholders.email',
  phone: 'mySkills.fromConversation.placeholders.phone',
  address: 'mySkills.fromConversation.placeholders.address',
  name: 'mySkills.fromConversation.placeholders.name',
} as const satisfies Record<PrivateKind, string>;
