import {
  mayShareSkills,
  mySkillsApi,
  type PersonalSkillDetail,
} from '@knowhow/shared/skills/personal-skills';
import { Button, Modal } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Section } from '../../ui/layout/section.tsx';
import classes from './my-skills.module.css';
import { ShareForm } from './share-form.tsx';

/** Shares a skill with users and groups, and shows how many have access. */
export function ShareSection({ skill }: { skill: PersonalSkillDetail }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(query(mySkillsApi.list, {}));
  const { name, recipients } = skill;
  if (!data || !(mayShareSkills(data.level) || recipients > 0)) {
    return null;
  }
  return (
    <Section title={t('mySkills.share.title')} text={t('mySkills.share.about')}>
      <div className={classes.proposed}>
        {recipients > 0 && (
          <p className={classes.plain}>{t('mySkills.share.with', { count: recipients })}</p>
        )}
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconUsers size={17} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('mySkills.share.action')}
          </Button>
        </div>
      </div>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('mySkills.share.dialog', { name })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        centered
      >
        <ShareForm skill={skill} onClose={() => setOpen(false)} />
      </Modal>
    </Section>
  );
}
