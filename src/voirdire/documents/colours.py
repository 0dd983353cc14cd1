"""The colours of charts: those of Okabe and Ito (Color Universal Design, 2008), told apart by the colour-blind too."""

BLUE = "#0072B2"
ORANGE = "#D55E00"
GREEN = "#009E73"
PINK = "#CC79A7"
YELLOW = "#E69F00"
SKY = "#56B4E9"
GREY = "#888888"
