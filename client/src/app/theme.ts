import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent for actions: a deep blue-green. */
const petrol: MantineColorsTuple = [
  '#eef6f6',
  '#dcebec',
  '#b6d8da',
  '#7cc5c8',
  '#4f9ca1',
  '#37858b',
  '#1f7077',
  '#125b62',
  '#0c4a50',
  '#07383d',
];

/** Neutrals with a hint of warmth. */
const gray: MantineColorsTuple = [
  '#f9f7f3',
  '#f4f1eb',
  '#ece8e0',
  '#e2ddd3',
  '#cfc8bc',
  '#8d867a',
  '#6b645a',
  '#5b554c',
  '#3b3731',
  '#211f1b',
];

const dark: MantineColorsTuple = [
  '#ecebe7',
  '#b9b3aa',
  '#aaa39a',
  '#77716a',
  '#403d39',
  '#33312d',
  '#2a2926',
  '#21201e',
  '#1b1a18',
  '#141311',
];

export const theme = createTheme({
  colors: { petrol, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: { radius: 12, overlayProps: { backgroundOpacity: 0.4 } },
      styles: { title: { fontSize: 17, fontWeight: 600, lineHeight: 1.3 } },
    },
    // A placeholder would be an invalid child of a menu.
    Menu: { defaultProps: { shadow: 'sm', withInitialFocusPlaceholder: false } },
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
  },
});

/** Maps Mantine's colours to ours in `theme.css`, the only file that defines them. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-quiet)',
    '--mantine-color-placeholder': 'var(--ink-quiet)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-error': 'var(--danger)',
  };
  return { variables: {}, light: shared, dark: shared };
};
