// Library - core, Cell - top
// LAST TIME SAVED: Jan  3 11:22:33 2026
// Written by PhysWriter version 21.14 build 77 on host lx9
module top (a, b);
  input a;
endmodule
