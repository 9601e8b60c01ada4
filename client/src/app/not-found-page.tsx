import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NoticePage } from './notice-page.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  useDocumentTitle(`${t('notFound.title')} · Knowhow`);
  return (
    <NoticePage title={t('notFound.title')} text={t('notFound.text')}>
      <Button component={Link} to="/">
        {t('notFound.wayOn')}
      </Button>
    </NoticePage>
  );
}
