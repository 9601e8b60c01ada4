import { TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../../ui/text/text-block.tsx';
import { FormSection } from '../form-section.tsx';
import { asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';

/** The origins that may embed this app's chat, and the embed code. */
export function AppEmbed() {
  const { t } = useTranslation();
  const { item } = useDraft();
  const { value, set, error } = useField('embed.origins');
  const origins = asTexts(value);
  return (
    <FormSection
      title={t('adminConfig.app.embed')}
      description={t('adminConfig.app.embedAbout')}
      holds={{ 'embed.origins': 'origins' }}
    >
      <TagsInput
        label={t('adminConfig.app.embedOrigins')}
        description={t('adminConfig.app.embedHint')}
        value={origins}
        error={error}
        acceptValueOnBlur
        onChange={(chosen) => {
          const given = chosen.map(toOrigin);
          set(given.length > 0 ? [...new Set(given)] : undefined);
        }}
      />
      {origins.length > 0 && (
        <>
          <TextBlock label={t('adminConfig.app.embedSnippet')} text={createEmbedCode(item.id)} />
          <p>{t('adminConfig.app.embedGuide')}</p>
        </>
      )}
    </FormSection>
  );
}

/** The origin of a pasted URL; an invalid URL is kept, to be rejected. */
function toOrigin(text: string): string {
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' };
  return origin === 'null' ? text : origin;
}

function createEmbedCode(app: string): string {
  return `<script src="${window.location.origin}/embed.js" data-app="${app}" async></script>`;
}
