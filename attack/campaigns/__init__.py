"""What is attacked? Each module or package in this folder is a campaign."""
