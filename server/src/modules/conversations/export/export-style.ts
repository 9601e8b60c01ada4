/** Styles of an exported page, including print. */
export const exportStyle = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: .85rem; opacity: .7; }
article { margin: 1.5rem 0; overflow-wrap: anywhere; }
.user { padding: .75rem 1rem; border-radius: 12px; background: color-mix(in srgb, currentColor 7%, transparent); }
.user img { display: block; max-width: min(100%, 24rem); max-height: 24rem; margin: .5rem 0; border-radius: 8px; }
.said { margin: 0; white-space: pre-wrap; unicode-bidi: plaintext; }
p, li, h1, h2, h3, h4, h5, h6, td, th { unicode-bidi: plaintext; }
code { unicode-bidi: isolate; }
.quiet { margin: .25rem 0; font-size: .85rem; opacity: .7; }
pre { direction: ltr; padding: .75rem; border-radius: 8px; white-space: pre-wrap; background: color-mix(in srgb, currentColor 6%, transparent); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
details { margin: .5rem 0; padding-inline-start: .75rem; border-inline-start: 2px solid color-mix(in srgb, currentColor 20%, transparent); }
summary { cursor: pointer; }
@media print {
  :root { color-scheme: light; font-size: 11pt; }
  main { max-width: none; margin: 0; padding: 0; }
  h2, summary { break-after: avoid; }
}
`;
