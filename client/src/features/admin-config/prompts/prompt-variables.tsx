import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { asLocalized } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { findPlaceholders } from './bracket-names.ts';
import { VariableFields } from './variable-fields.tsx';
import { MissingVariables, useVariableNames, VariableList } from './variable-list.tsx';

/** The variables that users fill in before a prompt is inserted. */
export function PromptVariables() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.prompt.variables')}
      description={t('adminConfig.prompt.variablesAbout')}
      holds={{ variables: 'variables' }}
    >
      <UnexplainedNames />
      <VariableList
        path="variables"
        nameOf={(number) => t('adminConfig.prompt.variable', { number })}
        addLabel={t('adminConfig.prompt.addVariable')}
      >
        {(path, variable) => (
          <VariableFields
            path={path}
            variable={variable}
            nameLabel={t('adminConfig.prompt.variableName')}
          />
        )}
      </VariableList>
    </FormSection>
  );
}

/** Bracketed names without a variable: perhaps forgotten, perhaps just text. */
function UnexplainedNames() {
  const { t } = useTranslation();
  const known = useVariableNames('variables');
  const text = asLocalized(useField('prompt').value);
  const names = findPlaceholders(text).filter((name) => !known.has(name));
  return (
    names.length > 0 && (
      <MissingVariables
        path="variables"
        about={t('adminConfig.prompt.unexplained')}
        names={names}
        addLabel={(name) => t('adminConfig.prompt.explain', { name })}
      />
    )
  );
}
