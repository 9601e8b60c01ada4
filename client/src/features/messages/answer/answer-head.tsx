import type { EndReason, NoticeCode } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { IconInfoCircle } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../../ui/bolt.tsx';
import lines from '../tool-call-line.module.css';

type AnswerHeadProps = Pick<AssistantMessage, 'ended' | 'notices'>;

/** Events before an answer: compaction and ended skills. */
export const AnswerHead = memo(function AnswerHead({ ended, notices = [] }: AnswerHeadProps) {
  const { t } = useTranslation();
  return (
    <>
      {latestPerSkill(ended).map(({ name, reason, note }) => (
        <p key={name} className={lines.sentence}>
          <Bolt size={15} />
          <span>
            {t(endKeys[reason as EndReason] ?? endKeys.user, { name })}
            {note && <> {t('activation.blockNote', { note })}</>}
          </span>
        </p>
      ))}
      {filterNotices(notices).map((code) => (
        <p key={code} className={lines.sentence}>
          <IconInfoCircle size={15} aria-hidden />
          <span>{t(noticeKeys[code])}</span>
        </p>
      ))}
    </>
  );
});

/** A summary that did not fit the budget is not used. */
function filterNotices(notices: readonly NoticeCode[]): readonly NoticeCode[] {
  const isWithout = notices.lastIndexOf('left-out') > notices.lastIndexOf('summarised');
  return isWithout ? notices.filter((code) => code !== 'summarised') : notices;
}

/** A skill may have ended, been activated again, and ended again. */
function latestPerSkill(ended: AssistantMessage['ended']): AssistantMessage['ended'] {
  const last = new Map(ended.map((each) => [each.name, each]));
  return [...last.values()];
}

const endKeys = {
  user: 'activation.endedByUser',
  'not-available': 'activation.endedByAccess',
  blocked: 'activation.endedByBlock',
  changed: 'activation.endedByChange',
  replaced: 'activation.endedByReplacement',
  app: 'activation.endedByApp',
  limit: 'activation.endedByLimit',
} as const satisfies Record<EndReason, string>;

const noticeKeys = {
  'results-cleared': 'notice.resultsCleared',
  summarised: 'notice.summarised',
  'left-out': 'notice.leftOut',
  'lines-dropped': 'notice.linesDropped',
} as const satisfies Record<NoticeCode, string>;
