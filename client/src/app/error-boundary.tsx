import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NoticePage } from './notice-page.tsx';

/** Error boundary with a page of its own. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <BrokenPage /> : this.props.children;
  }
}

function BrokenPage() {
  const { t } = useTranslation();
  return (
    <NoticePage title={t('broken.title')} text={t('broken.text')}>
      <Button onClick={() => location.reload()}>{t('broken.reload')}</Button>
    </NoticePage>
  );
}
