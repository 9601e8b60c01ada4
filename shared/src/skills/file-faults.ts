/** Why a file cannot be attached: the code of the issue, and the English message. */
export const fileFaults = {
  nothing: 'The file is empty.',
  'unknown-kind':
    'Files of this kind are not read. Attach a picture (PNG, JPEG, WebP, GIF), a PDF, a Word, Excel, PowerPoint, OpenDocument or RTF file, or a text.',
  locked:
    'The file is protected with a password, or was written by an Office from before 2007. Save it without a password as .docx, .xlsx or .pptx.',
  broken:
    'The file is broken, or is not what its name says. Open it in its program, and save it again.',
  encrypted: 'The file is protected with a password. Save it without one.',
  empty: 'No text was found in the file. If it was scanned, attach its pages as pictures.',
  'too-large': 'The file unpacks to more than is read of one. Attach a part of it.',
  'too-slow': 'The file took too long to read. Attach a part of it.',
  'broken-picture': 'The picture is broken. Save it again, and attach that.',
  'large-picture': 'The picture has more than 4 MiB. Make it smaller.',
  'wide-picture':
    'The picture has too many pixels: 8,000 on a side, and 40 million in all, are the most. Make it smaller.',
} as const;
export type FileFault = keyof typeof fileFaults;
