/** What the model may write, in Lark; the parser takes a little more. */
export const patchGrammar = String.raw`start: begin file+ finish
begin: "*** Begin Patch" LF
finish: "*** End Patch" LF?

file: added | deleted | updated
added: "*** Add File: " path LF added_line+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? body?
moved: "*** Move to: " path LF

body: (anchor | changed_line)+ last_line?
anchor: ("@@" | "@@ " /(.+)/) LF
added_line: "+" /(.*)/ LF
changed_line: ("+" | "-" | " ") /(.*)/ LF
last_line: "*** End of File" LF
path: /(.+)/

%import common.LF
`;
