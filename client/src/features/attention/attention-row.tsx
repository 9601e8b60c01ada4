import {
  type AttentionFinding,
  type AttentionItem,
  earlierThumbsDays,
  recentThumbsDays,
  unusedDays,
} from '@knowhow/shared/skills/skill-attention';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import cards from '../../ui/layout/item-cards.module.css';
import { ReviewedToday } from '../../ui/review-date.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './attention-page.module.css';

interface AttentionRowProps {
  item: AttentionItem;
  onReviewed: () => void;
}

/** A skill with the reasons why it needs attention. */
export function AttentionRow({ item, onReviewed }: AttentionRowProps) {
  const { t } = useTranslation();
  const isAdmin = useRight('skills');
  const { name, owner, reviewBy, findings, isInLibrary } = item;
  const { title } = useLocalizeSkill()({ ...item, description: '' });
  const path = encodeURIComponent(name);
  const to = isAdmin ? `/admin/skills/${path}` : isInLibrary ? `/skills/${path}` : undefined;
  return (
    <li className={cards.card}>
      <h2 className={cards.name}>{to === undefined ? title : <Link to={to}>{title}</Link>}</h2>
      {owner !== undefined && (
        <p className={cards.facts}>
          <span>{t('attention.owner', { owner })}</span>
        </p>
      )}
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <li key={finding.reason}>
            <Finding finding={finding} />
            {finding.reason === 'triggers' && isAdmin && (
              <>
                {' '}
                <Link to={`/admin/skills/${path}/triggers`}>{t('attention.openTriggers')}</Link>
              </>
            )}
          </li>
        ))}
      </ul>
      {findings.some(({ reason }) => reason === 'review') && (
        <ReviewedToday skill={{ name, displayName: title, reviewBy }} onSaved={onReviewed} />
      )}
    </li>
  );
}

function Finding({ finding }: { finding: AttentionFinding }) {
  const { t } = useTranslation();
  const { day, date } = useFormat();
  switch (finding.reason) {
    case 'review': {
      const isLate = finding.reviewBy < new Date().toISOString().slice(0, 10);
      const values = { date: day(finding.reviewBy) };
      return isLate ? t('attention.reviewLate', values) : t('attention.reviewDue', values);
    }
    case 'triggers': {
      const { model, share, before, at } = finding;
      return t('attention.triggersFell', { model, share, before, date: date(at) });
    }
    case 'thumbs': {
      const { recent, earlier } = finding;
      return t('attention.thumbsFell', {
        recent: shareOf(recent),
        recentDays: recentThumbsDays,
        earlier: shareOf(earlier),
        earlierDays: earlierThumbsDays,
      });
    }
    case 'deprecated':
      return t('attention.deprecated', { count: finding.apps });
    case 'unused':
      return finding.lastUsedAt === undefined
        ? t('attention.unused', { days: unusedDays })
        : t('attention.unusedSince', { date: date(finding.lastUsedAt) });
    case 'no-owner':
      return t('attention.noOwner');
  }
}

/** Thumbs up in per cent, rounded. */
function shareOf({ up, down }: { up: number; down: number }): number {
  return Math.round((100 * up) / (up + down));
}
