import { posix } from 'node:path';
import { DocumentFault, type DocumentText, TextParts } from '../document.ts';
import { parseXml, textParts, type XmlElement } from './office-xml.ts';

const presentation = 'ppt/presentation.xml';

/** The texts of slides, in the order in which they are shown, with the notes of the speaker. */
export function readPptx(bytes: Uint8Array): DocumentText {
  const files = textParts(bytes);
  const targets = targetsOf(files, presentation);
  const slides = [...all(parseXml(files.get(presentation)), 'p:sldId')].flatMap(
    (slide) => targets.get(slide.getAttribute('r:id') ?? '')?.path ?? [],
  );
  if (slides.length === 0) {
    throw new DocumentFault('broken');
  }
  const parts = new TextParts();
  for (const [index, path] of slides.entries()) {
    const notes = [...targetsOf(files, path).values()].find(({ type }) => /notesSlide$/.test(type));
    const said = notes ? textOf(parseXml(files.get(notes.path))) : '';
    const text = textOf(parseXml(files.get(path)));
    if (!parts.add(`Slide ${index + 1}`, said ? `${text}\n\nNotes: ${said}` : text)) {
      break;
    }
  }
  return parts.finish('slide', slides.length);
}

interface Target {
  path: string;
  type: string;
}

/** What a part refers to, by the ids it has for it. */
function targetsOf(files: ReadonlyMap<string, Uint8Array>, path: string): Map<string, Target> {
  const folder = posix.dirname(path);
  const relations = parseXml(files.get(`${folder}/_rels/${posix.basename(path)}.rels`));
  return new Map(
    [...all(relations, 'Relationship')].map((relation) => {
      const target = relation.getAttribute('Target') ?? '';
      const type = relation.getAttribute('Type') ?? '';
      const located = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      return [relation.getAttribute('Id') ?? '', { path: located, type }];
    }),
  );
}

/** A paragraph a line. */
function textOf(xml: XmlElement | undefined): string {
  return [...all(xml, 'a:p')]
    .map((paragraph) =>
      [...all(paragraph, 'a:t')].map(({ textContent }) => textContent ?? '').join(''),
    )
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function all(xml: XmlElement | undefined, name: string): Iterable<XmlElement> {
  return xml ? Array.from(xml.getElementsByTagName(name)) : [];
}
