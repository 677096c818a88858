// What crosses between the window and the program; the program's own types are the truth.
export type * from "./generated/view";
